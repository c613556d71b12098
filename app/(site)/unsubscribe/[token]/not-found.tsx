import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';

export const metadata: Metadata = { title: 'Link not found' };

/** Shown for a link that is not one of ours, or whose member left the team. */
export default function SubscriptionNotFound() {
  return (
    <CenteredLayout>
      <CenteredTitle>This link is no longer valid</CenteredTitle>
      <p className="text-body text-muted">
        Former members get no more emails about the team. Members can change theirs under Account.
      </p>
    </CenteredLayout>
  );
}
