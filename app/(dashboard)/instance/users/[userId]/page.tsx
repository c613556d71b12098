import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller } from '@/app/_trpc/server';
import { UserView } from '../_components/user-view';

export const metadata: Metadata = { title: 'User' };

export default async function UserPage({ params }: { params: Promise<{ userId: string }> }) {
  const { userId } = await params;
  const caller = await pageCaller();
  const initial = await firstData(() => caller.users.previewForceDelete({ userId }));
  return <UserView userId={userId} initial={initial} />;
}
