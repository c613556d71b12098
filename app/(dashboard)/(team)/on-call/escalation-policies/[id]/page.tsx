import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { EditPolicy } from '../../_components/edit-policy';

export const metadata: Metadata = { title: { absolute: 'Escalation policy · Upwatch' } };

export default async function PolicyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.escalationPolicies.get({ id }));
  return <EditPolicy key={id} id={id} initial={initial} canWrite={role === 'owner' || role === 'admin'} />;
}
