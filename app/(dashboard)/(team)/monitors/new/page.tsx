import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { MonitorType } from '@/server/monitor-types/schema';
import { NewMonitor } from '../_components/new-monitor';

export const metadata: Metadata = { title: { absolute: 'New monitor · Upwatch' } };

export default async function NewMonitorPage({
  searchParams,
}: {
  searchParams: Promise<{ type?: string | string[] }>;
}) {
  const me = await requirePerson();
  if (me.role === 'viewer') redirect('/monitors');
  const type = MonitorType.safeParse((await searchParams).type);
  return (
    <>
      <PageHead title="New monitor" />
      <NewMonitor type={type.success ? type.data : 'http'} />
    </>
  );
}
