import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { ConfirmEmail } from './_components/confirm-email';

export const metadata: Metadata = { title: 'Confirm your email address', referrer: 'no-referrer' };

/** Confirms only after a click, because mail scanners open links too. */
export default async function ConfirmEmailPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <CenteredLayout>
      <CenteredTitle>Confirm your email address</CenteredTitle>
      <ConfirmEmail token={decodeURIComponent(token)} />
    </CenteredLayout>
  );
}
