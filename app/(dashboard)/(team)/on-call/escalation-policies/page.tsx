import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { PoliciesView } from '../_components/policies-view';

export const metadata: Metadata = { title: { absolute: 'Escalation policies · Upwatch' } };

export default async function PoliciesPage() {
  const { role } = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.escalationPolicies.list({ limit: 100 }));
  return <PoliciesView initial={initial} canWrite={role === 'owner' || role === 'admin'} />;
}
