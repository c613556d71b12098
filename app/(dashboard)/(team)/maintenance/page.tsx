import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { MaintenanceView } from './_components/maintenance-view';

export const metadata: Metadata = { title: { absolute: 'Maintenance · Upwatch' } };

export default async function MaintenancePage() {
  const me = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.maintenance.list({ limit: 100 }));
  return <MaintenanceView initial={initial} canWrite={me.role !== 'viewer'} />;
}
