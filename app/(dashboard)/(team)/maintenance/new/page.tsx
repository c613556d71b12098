import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { NewWindow } from '../_components/new-window';

export const metadata: Metadata = { title: { absolute: 'Schedule maintenance · Upwatch' } };

export default async function NewWindowPage() {
  const me = await requirePerson();
  if (me.role === 'viewer') redirect('/maintenance');
  return (
    <>
      <PageHead title="Schedule maintenance" />
      <NewWindow />
    </>
  );
}
