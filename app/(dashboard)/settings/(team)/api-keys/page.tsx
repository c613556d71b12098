import type { Metadata } from 'next';
import { requirePerson } from '@/app/_trpc/server';
import { ApiKeysView } from './_components/api-keys-view';

export const metadata: Metadata = { title: 'API keys' };

export default async function ApiKeysPage() {
  const { user, role } = await requirePerson();
  return <ApiKeysView userId={user.id} canCreate={role !== 'viewer'} />;
}
