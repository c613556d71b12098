import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { firstData } from '@/app/_trpc/first-data';
import { readSetup } from '@/app/_trpc/read-setup';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { filtersOf, filtersToQuery, orderInput, overviewInput, readFilters } from './_components/filters';
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

const loadViews = cache(async () => {
  await requirePerson();
  const caller = await pageCaller();
  return firstData(async () => (await caller.savedViews.list()).savedViews);
});

/** Without search parameters, the list opens with the default view of the team. */
async function read({ searchParams }: Props) {
  const params = await searchParams;
  if (Object.keys(params).length === 0) {
    const view = (await loadViews())?.find(({ isDefault }) => isDefault);
    if (view) redirect(`/monitors?${filtersToQuery(filtersOf(view))}`);
  }
  return load(filtersToQuery(readFilters((name) => [params[name]].flat()[0] ?? null)));
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const initial = await read(props);
  return { title: { absolute: monitorsTitle(initial?.data) } };
}

export default async function MonitorsPage(props: Props) {
  const me = await requirePerson();
  const [initial, views, setup] = await Promise.all([read(props), loadViews(), readSetup()]);
  return <MonitorsView initial={initial} views={views} setup={setup} canWrite={me.role !== 'viewer'} />;
}
