import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { CenteredLayout } from '@/app/_components/centered-layout';
import { errorCode, pageCaller } from '@/app/_trpc/server';
import { AcknowledgeIncidents } from './_components/acknowledge-incidents';

export const metadata: Metadata = {
  title: 'Acknowledge incidents',
  robots: { index: false },
  referrer: 'no-referrer',
};

interface Props {
  params: Promise<{ token: string }>;
}

async function load(token: string) {
  const caller = await pageCaller();
  try {
    return (await caller.incidents.getAcknowledgment({ token })).acknowledgment;
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') notFound();
    throw error;
  }
}

/** Acknowledges only after a click, because link previews open links too. */
export default async function AcknowledgePage({ params }: Props) {
  const token = decodeURIComponent((await params).token);
  const acknowledgment = await load(token);
  return (
    <CenteredLayout>
      <AcknowledgeIncidents token={token} initial={acknowledgment} />
    </CenteredLayout>
  );
}
