import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';

export const metadata: Metadata = { title: 'Link not found' };

/** Shown for an expired link, or one whose channel no longer exists. */
export default function ConfirmationNotFound() {
  return (
    <CenteredLayout>
      <CenteredTitle>This link is no longer valid</CenteredTitle>
      <p className="text-body text-muted">
        It has expired, or the team no longer sends alerts to this address. To receive alerts, ask the team for a new
        confirmation email.
      </p>
    </CenteredLayout>
  );
}
