import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { EditSchedule } from '../../_components/edit-schedule';

export const metadata: Metadata = { title: { absolute: 'New schedule · Upwatch' } };

export default async function NewSchedulePage() {
  const { role } = await requirePerson();
  if (role !== 'owner' && role !== 'admin') redirect('/on-call/schedules');
  return (
    <>
      <PageHead title="New schedule" />
      <EditSchedule />
    </>
  );
}
