import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { IncidentView } from '../_components/incident-view';

export const metadata: Metadata = { title: { absolute: 'Incident · Upwatch' } };

export default async function IncidentPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const me = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.incidents.detail({ id }));
  return <IncidentView key={id} id={id} initial={initial} canWrite={me.role !== 'viewer'} />;
}
