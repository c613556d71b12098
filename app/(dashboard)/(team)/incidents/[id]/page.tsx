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

/** More than most incidents have. The browser loads what is larger after the page. */
const MOST_EVIDENCE = 150_000;

async function loadEvidence(id: string) {
  const caller = await pageCaller();
  const data = await firstData(() => caller.incidents.evidence({ id }));
  return data && JSON.stringify(data.evidence).length <= MOST_EVIDENCE ? data.evidence : undefined;
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const detail = await load((await params).id);
  return { title: { absolute: incidentDocumentTitle(detail) } };
}

export default async function IncidentPage({ params }: Props) {
  const { id } = await params;
  const me = await requirePerson();
  const initial = await load(id);
  const evidence = initial && initial.incident.type !== 'manual' ? await loadEvidence(id) : undefined;
  return <IncidentView key={id} id={id} initial={initial} evidence={evidence} canWrite={me.role !== 'viewer'} />;
}
