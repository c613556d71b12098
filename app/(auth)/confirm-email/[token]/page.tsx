import type { Metadata } from 'next';
import { Gate, GateTitle } from '@/app/_components/gate';
import { ConfirmEmail } from './_components/confirm-email';

export const metadata: Metadata = { title: 'Confirm your email address', referrer: 'no-referrer' };

/** Opening the page does not confirm: mail scanners open links too. */
export default async function ConfirmEmailPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <Gate>
      <GateTitle>Confirm your email address</GateTitle>
      <ConfirmEmail token={decodeURIComponent(token)} />
    </Gate>
  );
}
