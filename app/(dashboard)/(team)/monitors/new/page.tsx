import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { MonitorType } from '@/server/monitor-types/schema';
import { NewMonitor } from '../_components/new-monitor';

export const metadata: Metadata = { title: { absolute: 'New monitor · Upwatch' } };

export default async function NewMonitorPage({
  searchParams,
}: {
  /** `from`: the ID of the monitor to copy. */
  searchParams: Promise<{ type?: string | string[]; from?: string | string[] }>;
}) {
  const me = await requirePerson();
  if (me.role === 'viewer') redirect('/monitors');
  const { type: wanted, from } = await searchParams;
  const type = MonitorType.safeParse(wanted);
  const caller = await pageCaller();
  const copied = typeof from === 'string' ? await firstData(() => caller.monitors.get({ id: from })) : undefined;
  return (
    <>
      <PageHead title="New monitor" />
      <NewMonitor type={type.success ? type.data : 'http'} copied={copied?.monitor} />
    </>
  );
}
