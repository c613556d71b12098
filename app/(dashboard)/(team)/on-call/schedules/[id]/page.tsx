import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { ScheduleView } from '../../_components/schedule-view';

export const metadata: Metadata = { title: { absolute: 'On-call schedule · Upwatch' } };

export default async function SchedulePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role, user } = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.onCall.get({ id }));
  return <ScheduleView key={id} id={id} initial={initial} role={role} userId={user.id} />;
}
