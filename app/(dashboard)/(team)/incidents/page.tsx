import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { readSetup } from '@/app/_trpc/read-setup';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { countInput, filtersToQuery, listFilter, readFilters } from './_components/filters';
import { IncidentsView } from './_components/incidents-view';

export const metadata: Metadata = { title: { absolute: 'Incidents · Upwatch' } };

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

export default async function IncidentsPage({ searchParams }: Props) {
  const me = await requirePerson();
  const caller = await pageCaller();
  const params = await searchParams;
  const filters = readFilters((name) => [params[name] ?? null].flat()[0] ?? null);
  const [data, counts, components, setup] = await Promise.all([
    firstData(() => caller.incidents.list({ ...listFilter(filters), limit: 50 })),
    firstData(() => caller.incidents.counts(countInput(filters))),
    firstData(() => caller.statusPageComponents.list({ limit: 1 })),
    readSetup(),
  ]);
  const initial = data && counts && { query: filtersToQuery(filters), data, counts };
  const hasComponents = (components?.components.length ?? 0) > 0;
  return (
    <IncidentsView initial={initial} setup={setup} canWrite={me.role !== 'viewer'} hasComponents={hasComponents} />
  );
}
