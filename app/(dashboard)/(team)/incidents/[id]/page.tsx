import type { Metadata } from 'next';
import { cache } from 'react';
import { incidentDocumentTitle } from '@/app/_components/incidents/incident-words';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { IncidentView } from '../_components/incident-view';

interface Props {
  params: Promise<{ id: string }>;
}

/** Cached, so that metadata and page share one query. */
const load = cache(async (id: string) => {
  await requirePerson();
  const caller = await pageCaller();
  return firstData(() => caller.incidents.detail({ id }));
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const detail = await load((await params).id);
  return { title: { absolute: incidentDocumentTitle(detail) } };
}

export default async function IncidentPage({ params }: Props) {
  const { id } = await params;
  const me = await requirePerson();
  return <IncidentView key={id} id={id} initial={await load(id)} canWrite={me.role !== 'viewer'} />;
}
