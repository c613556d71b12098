import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { StatusPagesView } from './_components/status-pages-view';

export const metadata: Metadata = { title: { absolute: 'Status pages · Upwatch' } };

export default async function StatusPagesPage() {
  const me = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.statusPages.list({ limit: 100 }));
  return <StatusPagesView initial={initial} canWrite={me.role !== 'viewer'} />;
}
