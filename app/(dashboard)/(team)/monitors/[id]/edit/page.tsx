import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { Kind } from '@/app/_components/ui/tag';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { EditMonitor } from '../../_components/edit-monitor';

export const metadata: Metadata = { title: { absolute: 'Edit monitor · Upwatch' } };

export default async function EditMonitorPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const me = await requirePerson();
  if (me.role === 'viewer') redirect(`/monitors/${id}`);
  const caller = await pageCaller();
  const found = await firstData(() => caller.monitors.get({ id }));
  if (!found) throw new Error('Could not load the monitor.');
  const { monitor } = found;
  return (
    <>
      <PageHead title={`Edit ${monitor.name}`} note={<Kind>{monitor.type}</Kind>} />
      <EditMonitor key={monitor.id} monitor={monitor} />
    </>
  );
}
