import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { ResetPasswordForm } from './_components/reset-password-form';

export const metadata: Metadata = { title: 'Choose a new password', referrer: 'no-referrer' };

export default async function ResetPasswordPage({ params }: { params: Promise<{ token: string }> }) {
  const { token } = await params;
  return (
    <CenteredLayout>
      <CenteredTitle>Choose a new password</CenteredTitle>
      <ResetPasswordForm token={decodeURIComponent(token)} />
    </CenteredLayout>
  );
}
