import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { NewMonitors } from './_components/new-monitors';

export const metadata: Metadata = { title: { absolute: 'New monitors · Upwatch' } };

export default async function NewMonitorsPage() {
  const me = await requirePerson();
  if (me.role === 'viewer') redirect('/monitors');
  return (
    <>
      <PageHead title="New monitors" />
      <NewMonitors />
    </>
  );
}
