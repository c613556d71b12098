import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { ChannelsView } from './_components/channels-view';

export const metadata: Metadata = { title: { absolute: 'Channels · Upwatch' } };

export default async function ChannelsPage() {
  const me = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.notifications.list({ limit: 100 }));
  return (
    <ChannelsView
      initial={initial}
      canWrite={me.role !== 'viewer'}
      canGroup={me.role === 'admin' || me.role === 'owner'}
    />
  );
}
