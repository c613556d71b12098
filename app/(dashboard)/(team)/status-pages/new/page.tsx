import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { NewStatusPage } from '../_components/new-status-page';

export const metadata: Metadata = { title: { absolute: 'New status page · Upwatch' } };

export default async function NewStatusPagePage() {
  const me = await requirePerson();
  if (me.role === 'viewer') redirect('/status-pages');
  return (
    <>
      <PageHead title="New status page" />
      <NewStatusPage />
    </>
  );
}
