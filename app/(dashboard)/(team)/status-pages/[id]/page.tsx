import type { Metadata } from 'next';
import { cache } from 'react';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { StatusPageView } from '../_components/status-page-view';
import { statusPageTitle } from '../_components/titles';

interface Props {
  params: Promise<{ id: string }>;
}

/** Cached, so that metadata and page share one query. */
const load = cache(async (id: string) => {
  await requirePerson();
  const caller = await pageCaller();
  return firstData(() => caller.statusPages.editor({ id }));
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const found = await load((await params).id);
  return { title: { absolute: statusPageTitle(found?.statusPage.title) } };
}

export default async function StatusPagePage({ params }: Props) {
  const { id } = await params;
  const me = await requirePerson();
  return <StatusPageView key={id} id={id} initial={await load(id)} canWrite={me.role !== 'viewer'} />;
}
