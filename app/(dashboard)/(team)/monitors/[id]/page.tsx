import type { Metadata } from 'next';
import { cache } from 'react';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { ChartRange } from '@/server/monitor-types/schema';
import { MonitorView } from '../_components/detail/monitor-view';
import { monitorTitle } from '../_components/titles';

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ range?: string | string[] }>;
}

/** Cached, so that metadata and page share one query. */
const load = cache(async (id: string, range: ChartRange) => {
  await requirePerson();
  const caller = await pageCaller();
  return firstData(() => caller.monitors.detail({ id, range }));
});

async function read({ params, searchParams }: Props) {
  const { id } = await params;
  const range = ChartRange.catch('3h').parse((await searchParams).range);
  return { id, range, data: await load(id, range) };
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { data } = await read(props);
  return { title: { absolute: monitorTitle(data) } };
}

export default async function MonitorPage(props: Props) {
  const me = await requirePerson();
  const { id, range, data } = await read(props);
  return <MonitorView key={id} id={id} initial={data && { range, data }} canWrite={me.role !== 'viewer'} />;
}
