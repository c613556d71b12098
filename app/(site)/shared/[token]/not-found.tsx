import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';

export const metadata: Metadata = { title: 'Link not found' };

/** Shown for a link that was revoked, or that never existed. */
export default function SharedIncidentNotFound() {
  return (
    <CenteredLayout>
      <CenteredTitle>This link is not valid</CenteredTitle>
      <p className="text-body text-muted">It may have been revoked. Ask the team that sent it to you for a new one.</p>
    </CenteredLayout>
  );
}
