import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { linked } from '@/app/_trpc/linked';
import { Unsubscribe } from './_components/unsubscribe';

export const metadata: Metadata = { title: 'Unsubscribe', robots: { index: false }, referrer: 'no-referrer' };

interface Props {
  params: Promise<{ token: string }>;
}

/** Unsubscribes only after a click, because mail scanners open links too. */
export default async function UnsubscribePage({ params }: Props) {
  const token = decodeURIComponent((await params).token);
  const subscription = await linked(async (caller) => (await caller.summaries.getSubscription({ token })).subscription);
  return (
    <CenteredLayout>
      <CenteredTitle>{subscription.kind === 'weekly' ? 'Weekly summary' : 'Monthly report'}</CenteredTitle>
      <Unsubscribe token={token} initial={subscription} />
    </CenteredLayout>
  );
}
