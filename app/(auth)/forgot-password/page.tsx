import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { instanceFacts } from '@/server/api/instance-facts';
import { ForgotPasswordForm } from './_components/forgot-password-form';

export const metadata: Metadata = { title: 'Forgot password' };

export default function ForgotPasswordPage() {
  return (
    <CenteredLayout>
      <CenteredTitle>Reset your password</CenteredTitle>
      <ForgotPasswordForm {...instanceFacts()} />
    </CenteredLayout>
  );
}
