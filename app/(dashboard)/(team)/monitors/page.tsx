import type { Metadata } from 'next';
import { cache } from 'react';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { filtersToQuery, orderInput, overviewInput, readFilters } from './_components/filters';
import { MonitorsView } from './_components/monitors-view';
import { monitorsTitle } from './_components/titles';

interface Props {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}

/** Cached, so that metadata and page share one query. `query` contains the filters as search parameters. */
const load = cache(async (query: string) => {
  await requirePerson();
  const caller = await pageCaller();
  const params = new URLSearchParams(query);
  const filters = readFilters((name) => params.get(name));
  const [data, order] = await Promise.all([
    firstData(() => caller.monitors.overview(overviewInput(filters))),
    filters.group ? firstData(() => caller.monitors.order(orderInput(filters))) : undefined,
  ]);
  return data && { filters, data, order };
});

async function read({ searchParams }: Props) {
  const params = await searchParams;
  return load(filtersToQuery(readFilters((name) => [params[name]].flat()[0] ?? null)));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const initial = await read(props);
  return { title: { absolute: monitorsTitle(initial?.data) } };
}

export default async function MonitorsPage(props: Props) {
  const me = await requirePerson();
  return <MonitorsView initial={await read(props)} canWrite={me.role !== 'viewer'} />;
}
