import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { overviewInput, readFilters } from './_components/filters';
import { MonitorsView } from './_components/monitors-view';

export const metadata: Metadata = { title: { absolute: 'Monitors · Upwatch' } };

export default async function MonitorsPage({
  searchParams,
}: {
  searchParams: Promise<Record<string, string | string[] | undefined>>;
}) {
  const me = await requirePerson();
  const caller = await pageCaller();
  const params = await searchParams;
  const filters = readFilters((name) => [params[name]].flat()[0] ?? null);
  const initial = await firstData(() => caller.monitors.overview(overviewInput(filters)));
  return <MonitorsView initial={initial && { filters, data: initial }} canWrite={me.role !== 'viewer'} />;
}
