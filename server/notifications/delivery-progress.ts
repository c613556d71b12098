import type { Channel as ChannelRow, Delivery as DeliveryRow } from '@/server/platform/generated/prisma/client';
import type { ChannelState } from './schema';

/** Returns the state of a channel, derived from the outcomes of its messages. */
export function channelStateOf({
  failedAt,
  failingSince,
  deliveredAt,
}: Pick<ChannelRow, 'failedAt' | 'failingSince' | 'deliveredAt'>): ChannelState {
  if (failedAt) return 'failing';
  if (failingSince) return 'retrying';
  return deliveredAt ? 'delivering' : 'untested';
}

type Pending = Pick<DeliveryRow, 'status' | 'nextAttemptAt' | 'leaseUntil'>;

/** Returns whether a delivery is being sent, and the time of its next attempt; null once it is final, or while it waits behind another one. */
export function progressOf({ status, nextAttemptAt, leaseUntil }: Pending): {
  isSending: boolean;
  nextAttemptAt: string | null;
} {
  // A claim sets both times to the end of its lease, and every change of the claim changes the next attempt.
  const isSending = status === 'pending' && leaseUntil !== null && leaseUntil.getTime() === nextAttemptAt?.getTime();
  return { isSending, nextAttemptAt: nextAttemptAt?.toISOString() ?? null };
}
