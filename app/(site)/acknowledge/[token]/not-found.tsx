import type { Metadata } from 'next';
import Link from 'next/link';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { Button } from '@/app/_components/ui/button';

export const metadata: Metadata = { title: 'Link not found' };

/** Shown for an expired link, or one whose channel or incidents were deleted. */
export default function AcknowledgmentNotFound() {
  return (
    <CenteredLayout>
      <CenteredTitle>This link is no longer valid</CenteredTitle>
      <p className="text-body text-muted">
        It is valid for 7 days, and ends when its channel or its incidents are deleted. Open the incident in Upwatch to
        acknowledge it.
      </p>
      <Button asChild size="large">
        <Link href="/incidents">Go to incidents</Link>
      </Button>
    </CenteredLayout>
  );
}
