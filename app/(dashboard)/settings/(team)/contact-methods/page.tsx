import type { Metadata } from 'next';
import { firstData } from '@/app/_trpc/first-data';
import { pageCaller, requirePerson } from '@/app/_trpc/server';
import { ContactMethodsView } from './_components/contact-methods-view';

export const metadata: Metadata = { title: 'Contact methods' };

export default async function ContactMethodsPage() {
  const { user } = await requirePerson();
  const caller = await pageCaller();
  const initial = await firstData(() => caller.contactMethods.list());
  return <ContactMethodsView userId={user.id} initial={initial} />;
}
