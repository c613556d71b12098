import type { Metadata } from 'next';
import { cache } from 'react';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { WindowView } from '../_components/window-view';

interface Props {
  params: Promise<{ id: string }>;
}

/** Cached, so that metadata and page share one query. */
const load = cache(async (id: string) => {
  await requirePerson();
  const caller = await pageCaller();
  return firstData(() => caller.maintenance.get({ id }));
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await load((await params).id);
  return { title: { absolute: `${found?.maintenanceWindow.title ?? 'Maintenance'} · Upwatch` } };
}

export default async function WindowPage({ params }: Props) {
  const { id } = await params;
  const me = await requirePerson();
  return <WindowView key={id} id={id} initial={await load(id)} canWrite={me.role !== 'viewer'} />;
}
