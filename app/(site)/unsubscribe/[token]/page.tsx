import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { errorCode, pageCaller } from '@/app/_trpc/server';
import { Unsubscribe } from './_components/unsubscribe';

export const metadata: Metadata = { title: 'Weekly summary', robots: { index: false }, referrer: 'no-referrer' };

interface Props {
  params: Promise<{ token: string }>;
}

async function load(token: string) {
  const caller = await pageCaller();
  try {
    return (await caller.summaries.getSubscription({ token })).subscription;
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') notFound();
    throw error;
  }
}

/** Unsubscribes only after a click, because mail scanners open links too. */
export default async function UnsubscribePage({ params }: Props) {
  const token = decodeURIComponent((await params).token);
  const subscription = await load(token);
  return (
    <CenteredLayout>
      <CenteredTitle>Weekly summary</CenteredTitle>
      <Unsubscribe token={token} initial={subscription} />
    </CenteredLayout>
  );
}
