import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Section } from '@/app/_components/ui/page';
import { requirePerson } from '@/app/_trpc/server';
import { KeptMail } from './_components/kept-mail';

export const metadata: Metadata = { title: 'Kept mail' };

/** The mail that was not sent, for administrators of the instance. */
export default async function KeptMailPage() {
  const { user } = await requirePerson();
  if (!user.isAdmin) notFound();
  return (
    <Section title="Kept mail">
      <p className="mb-5 max-w-[76ch] text-muted">
        Without an SMTP server, mail is kept here instead of being sent. Set <code>SMTP_URL</code> and start again to
        have it delivered; what is kept already stays.
      </p>
      <KeptMail />
    </Section>
  );
}
