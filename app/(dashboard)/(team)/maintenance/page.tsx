import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { MaintenanceView } from './_components/maintenance-view';

export const metadata: Metadata = { title: { absolute: 'Maintenance · Upwatch' } };

export default async function MaintenancePage() {
  const me = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(async () => {
    const [current, past] = await Promise.all([
      caller.maintenance.list({ state: 'current', limit: 100 }),
      caller.maintenance.list({ state: 'past', limit: 100 }),
    ]);
    return { current, past };
  });
  return <MaintenanceView initial={initial} canWrite={me.role !== 'viewer'} />;
}
