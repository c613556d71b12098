import type { Metadata } from 'next';
import { requirePerson } from '@/app/_trpc/server';
import { AgentsView } from './_components/agents-view';

export const metadata: Metadata = { title: 'Agents' };

export default async function AgentsPage() {
  const { role } = await requirePerson();
  return <AgentsView canManage={role === 'owner' || role === 'admin'} />;
}
