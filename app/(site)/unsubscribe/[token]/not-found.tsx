import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';

export const metadata: Metadata = { title: 'Link not found' };

/** Shown for a link that is not one of ours, or whose member left the team. */
export default function SubscriptionNotFound() {
  return (
    <CenteredLayout>
      <CenteredTitle>This link is no longer valid</CenteredTitle>
      <p className="text-body text-muted">
        Members who left a team get no more summaries of it. Members change theirs under Account.
      </p>
    </CenteredLayout>
  );
}
