import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { NewChannel } from '../_components/new-channel';

export const metadata: Metadata = { title: { absolute: 'New channel · Upwatch' } };

export default async function NewChannelPage() {
  const me = await requirePerson();
  if (me.role === 'viewer') redirect('/channels');
  const caller = await pageCaller();
  const initial = await firstData(() => caller.notifications.list({ limit: 100 }));
  return <NewChannel initial={initial} />;
}
