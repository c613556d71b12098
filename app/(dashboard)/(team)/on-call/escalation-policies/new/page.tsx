import type { Metadata } from 'next';
import { redirect } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { EditPolicy } from '../../_components/edit-policy';

export const metadata: Metadata = { title: { absolute: 'New escalation policy · Upwatch' } };

export default async function NewPolicyPage() {
  const { role } = await requirePerson();
  if (role !== 'owner' && role !== 'admin') redirect('/on-call/escalation-policies');
  return (
    <>
      <PageHead title="New escalation policy" />
      <EditPolicy canWrite />
    </>
  );
}
