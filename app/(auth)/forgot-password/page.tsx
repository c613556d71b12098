import type { Metadata } from 'next';
import { Gate, GateTitle } from '@/app/_components/gate';
import { instanceFacts } from '@/server/api/instance-facts';
import { ForgotPasswordForm } from './_components/forgot-password-form';

export const metadata: Metadata = { title: 'Forgot password' };

export default function ForgotPasswordPage() {
  return (
    <Gate>
      <GateTitle>Reset your password</GateTitle>
      <ForgotPasswordForm {...instanceFacts()} />
    </Gate>
  );
}
