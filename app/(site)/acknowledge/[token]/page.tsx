import type { Metadata } from 'next';
import { CenteredLayout } from '@/app/_components/centered-layout';
import { linked } from '@/app/_trpc/linked';
import { AcknowledgeIncidents } from './_components/acknowledge-incidents';

export const metadata: Metadata = {
  title: 'Acknowledge incidents',
  robots: { index: false },
  referrer: 'no-referrer',
};

interface Props {
  params: Promise<{ token: string }>;
}

/** Acknowledges only after a click, because link previews open links too. */
export default async function AcknowledgePage({ params }: Props) {
  const token = decodeURIComponent((await params).token);
  const acknowledgment = await linked(
    async (caller) => (await caller.incidents.getAcknowledgment({ token })).acknowledgment,
  );
  return (
    <CenteredLayout>
      <AcknowledgeIncidents token={token} initial={acknowledgment} />
    </CenteredLayout>
  );
}
