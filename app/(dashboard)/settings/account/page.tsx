import type { Metadata } from 'next';
import { Facts, Section } from '@/app/_components/ui/page';
import { requirePerson } from '@/app/_trpc/server';
import { PasswordForm } from './_components/password-form';

export const metadata: Metadata = { title: 'Account' };

/** Who is signed in, and their password. */
export default async function AccountPage() {
  const { user } = await requirePerson();
  return (
    <div className="max-w-[480px]">
      <Section title="Account">
        <Facts
          facts={[
            ['Email', user.email],
            ['Name', user.name],
          ]}
        />
      </Section>
      <Section title="Change the password">
        <PasswordForm email={user.email} />
      </Section>
    </div>
  );
}
