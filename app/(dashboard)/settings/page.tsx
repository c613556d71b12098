import { redirect } from 'next/navigation';
import { requirePerson } from '@/app/_trpc/server';

export default async function SettingsPage() {
  const { teamId } = await requirePerson();
  redirect(teamId ? '/settings/api-keys' : '/settings/account');
}
