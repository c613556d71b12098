import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { ChannelView } from '../_components/channel-view';

export const metadata: Metadata = { title: { absolute: 'Channel · Upwatch' } };

export default async function ChannelPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const me = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.notifications.get({ id }));
  return <ChannelView key={id} id={id} initial={initial} canWrite={me.role !== 'viewer'} />;
}
