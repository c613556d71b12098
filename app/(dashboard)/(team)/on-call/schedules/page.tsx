import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { SchedulesView } from '../_components/schedules-view';

export const metadata: Metadata = { title: { absolute: 'On-call · Upwatch' } };

export default async function SchedulesPage() {
  const { role } = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.onCall.list({ limit: 100 }));
  return <SchedulesView initial={initial} canWrite={role === 'owner' || role === 'admin'} />;
}
