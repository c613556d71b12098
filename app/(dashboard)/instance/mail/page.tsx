import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Section } from '@/app/_components/page';
import { requirePerson } from '@/app/_trpc/server';
import { UndeliveredMail } from './_components/undelivered-mail';

export const metadata: Metadata = { title: 'Undelivered mail' };

/** Emails that were not sent, for instance administrators. */
export default async function UndeliveredMailPage() {
  const { user } = await requirePerson();
  if (!user.isAdmin) notFound();
  return (
    <Section title="Undelivered mail">
      <p className="mb-5 max-w-[76ch] text-muted">
        Without an SMTP server, emails are stored here instead of being sent. To send new emails, set{' '}
        <code>SMTP_URL</code> and restart Upwatch. Stored emails are not sent later.
      </p>
      <UndeliveredMail />
    </Section>
  );
}
