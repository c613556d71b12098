import type { Metadata } from 'next';
import { CenteredLayout, CenteredTitle } from '@/app/_components/centered-layout';
import { linked } from '@/app/_trpc/linked';
import { ConfirmRecipient } from './_components/confirm-recipient';

export const metadata: Metadata = { title: 'Confirm alerts', robots: { index: false }, referrer: 'no-referrer' };

interface Props {
  params: Promise<{ token: string }>;
}

/** Confirms only after a click, because mail scanners open links too. */
export default async function ConfirmChannelPage({ params }: Props) {
  const token = decodeURIComponent((await params).token);
  const confirmation = await linked(
    async (caller) => (await caller.notifications.getConfirmation({ token })).confirmation,
  );
  return (
    <CenteredLayout>
      <CenteredTitle>{confirmation.isConfirmed ? 'Alerts confirmed' : 'Confirm alerts'}</CenteredTitle>
      <ConfirmRecipient token={token} initial={confirmation} />
    </CenteredLayout>
  );
}
