import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { NewIncident } from '../_components/new-incident';

export const metadata: Metadata = { title: { absolute: 'New incident · Upwatch' } };

export default async function NewIncidentPage() {
  const me = await requirePerson();
  if (me.role === 'viewer') redirect('/incidents');
  return (
    <>
      <PageHead title="New incident" />
      <NewIncident />
    </>
  );
}
