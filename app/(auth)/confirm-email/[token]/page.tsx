import type { Metadata } from 'next';
import { Gate, GateTitle } from '@/app/_components/gate';
import { ConfirmEmail } from './_components/confirm-email';

export const metadata: Metadata = { title: 'Confirm your email address', referrer: 'no-referrer' };

/** Only shows the question: software that scans mail opens links as well, and must not confirm an address. */
export default async function ConfirmEmailPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <Gate>
      <GateTitle>Confirm your email address</GateTitle>
      <ConfirmEmail token={decodeURIComponent(token)} />
    </Gate>
  );
}
