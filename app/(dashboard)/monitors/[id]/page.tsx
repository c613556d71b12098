import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { ChartRange } from '@/server/monitors/schema';
import { MonitorView } from '../_components/detail/monitor-view';

export const metadata: Metadata = { title: { absolute: 'Monitor · Upwatch' } };

interface Props {
  params: Promise<{ id: string }>;
  searchParams: Promise<{ range?: string | string[] }>;
}

export default async function MonitorPage({ params, searchParams }: Props) {
  const { id } = await params;
  const me = await requirePerson();
  const caller = await pageCaller();
  const range = ChartRange.catch('3h').parse((await searchParams).range);
  const data = await firstData(() => caller.monitors.detail({ id, range }));
  return <MonitorView key={id} id={id} initial={data && { range, data }} canWrite={me.role !== 'viewer'} />;
}
