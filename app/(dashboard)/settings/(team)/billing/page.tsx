import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { BillingView } from './_components/billing-view';

export const metadata: Metadata = { title: 'Plan and usage' };

export default async function BillingPage() {
  const { role } = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.billing.get());
  return <BillingView initial={initial} canManage={role === 'owner' || role === 'admin'} />;
}
