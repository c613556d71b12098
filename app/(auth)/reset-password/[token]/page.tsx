import type { Metadata } from 'next';
import { Gate, GateTitle } from '@/app/_components/gate';
import { ResetPasswordForm } from './_components/reset-password-form';

export const metadata: Metadata = { title: 'Choose a new password', referrer: 'no-referrer' };

export default async function ResetPasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <Gate>
      <GateTitle>Choose a new password</GateTitle>
      <ResetPasswordForm token={decodeURIComponent(token)} />
    </Gate>
  );
}
