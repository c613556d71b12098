import type { Metadata } from 'next';
import { notFound } from 'next/navigation';
import { Gate, GateTitle } from '@/app/_components/gate';
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

/** Opening the page does not confirm: mail scanners open links too. */
export default async function ConfirmChannelPage({ params }: Props) {
  const token = decodeURIComponent((await params).token);
  const confirmation = await load(token);
  return (
    <Gate>
      <GateTitle>{confirmation.isConfirmed ? 'Alerts confirmed' : 'Confirm alerts'}</GateTitle>
      <ConfirmRecipient token={token} initial={confirmation} />
    </Gate>
  );
}
