import type { Channel as ChannelRow, Delivery as DeliveryRow } from '@/server/platform/generated/prisma/client';
import type { ChannelState } from './schema';

/** Whether a channel's messages arrive. */
export function channelStateOf({
  failedAt,
  failingSince,
  deliveredAt,
}: Pick<ChannelRow, 'failedAt' | 'failingSince' | 'deliveredAt'>): ChannelState {
  if (failedAt) return 'failing';
  if (failingSince) return 'retrying';
  return deliveredAt ? 'delivering' : 'untested';
}

type Pending = Pick<DeliveryRow, 'status' | 'nextAttemptAt' | 'leaseUntil'> & {
  /** The delivery that it waits for. */
  after: Pick<DeliveryRow, 'status'> | null;
};

/** Whether a delivery is being sent, and when its next attempt is: null once it is final, or where the time is not known. */
export function progressOf({ status, nextAttemptAt, leaseUntil, after }: Pending): {
  isSending: boolean;
  nextAttemptAt: string | null;
} {
  // Whatever ends or moves a claim moves the next attempt.
  const isSending = status === 'pending' && leaseUntil !== null && leaseUntil.getTime() === nextAttemptAt?.getTime();
  // A delivery that waits for its predecessor is sent when that one is final, at an unknown time.
  return { isSending, nextAttemptAt: after?.status === 'pending' ? null : (nextAttemptAt?.toISOString() ?? null) };
}
