import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { EditSchedule } from '../../../_components/edit-schedule';

export const metadata: Metadata = { title: { absolute: 'Edit schedule · Upwatch' } };

export default async function EditSchedulePage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requirePerson();
  if (role !== 'owner' && role !== 'admin') redirect(`/on-call/schedules/${id}`);
  return (
    <>
      <PageHead title="Edit schedule" />
      <EditSchedule id={id} />
    </>
  );
}
