import type { Metadata } from 'next';
import { requirePerson } from '@/app/_trpc/server';
import { EditPolicy } from '../../_components/edit-policy';

export const metadata: Metadata = { title: { absolute: 'Escalation policy · Upwatch' } };

export default async function PolicyPage({ params }: { params: Promise<{ id: string }> }) {
  const { id } = await params;
  const { role } = await requirePerson();
  return <EditPolicy key={id} id={id} canWrite={role === 'owner' || role === 'admin'} />;
}
