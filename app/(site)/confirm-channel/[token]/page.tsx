import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { errorCode, pageCaller } from '@/app/_trpc/server';
import { ConfirmRecipient } from './_components/confirm-recipient';

export const metadata: Metadata = { title: 'Confirm alerts', robots: { index: false }, referrer: 'no-referrer' };

interface Props {
  params: Promise<{ token: string }>;
}

async function load(token: string) {
  const caller = await pageCaller();
  try {
    return (await caller.notifications.getConfirmation({ token })).confirmation;
  } catch (error) {
    if (errorCode(error) === 'NOT_FOUND') notFound();
    throw error;
  }
}

/** Confirms only after a click, because mail scanners open links too. */
export default async function ConfirmChannelPage({ params }: Props) {
  const token = decodeURIComponent((await params).token);
  const confirmation = await load(token);
  return (
    <CenteredLayout>
      <CenteredTitle>{confirmation.isConfirmed ? 'Alerts confirmed' : 'Confirm alerts'}</CenteredTitle>
      <ConfirmRecipient token={token} initial={confirmation} />
    </CenteredLayout>
  );
}
