import { notFound } from 'next/navigation';
import { PageHead } from '@/app/_components/page';
import { LinkTabs } from '@/app/_components/ui/tabs';
import { requirePerson } from '@/app/_trpc/server';

const tabs = [
  { href: '/instance/users', label: 'Users' },
  { href: '/instance/workers', label: 'Workers' },
  { href: '/instance/mail', label: 'Undelivered mail' },
  { href: '/instance/audit', label: 'Audit log' },
];

/** The pages for instance administrators. */
export default async function InstanceLayout({ children }: { children: React.ReactNode }) {
  const { user } = await requirePerson();
  if (!user.isAdmin) notFound();
  return (
    <>
      <PageHead title="Instance" />
      <LinkTabs label="Instance" tabs={tabs} />
      {children}
    </>
  );
}
