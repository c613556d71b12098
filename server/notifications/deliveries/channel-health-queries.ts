import { db, type Tx } from '@/server/platform/db';
import type { ChannelHealth } from './channel-health';

/** The health of a locked channel. */
export interface HealthRow extends ChannelHealth {
  id: string;
  teamId: string;
  /** The member whose contact method it is; null for a channel of the team. */
  ownerId: string | null;
  type: string;
  name: string;
  /** When the owners were last mailed that the channel is failing. */
  ownersNotifiedAt: Date | null;
}

/**
 * Locks a channel, so that everything that changes its deliveries waits until the transaction ends, and returns its health; null if it was deleted.
 */
export async function lockHealth(tx: Tx, channelId: string): Promise<HealthRow | null> {
  // Raw: locks the row.
  const [row] = await tx.$queryRaw<HealthRow[]>`
    select id, team_id as "teamId", owner_id as "ownerId", type::text, name, owners_told_at as "ownersNotifiedAt",
      delivered_at as "deliveredAt", failing_since as "failingSince", failed_messages as "failedMessages",
      failed_at as "failedAt", last_error as "lastError"
    from channels where id = ${channelId} and team_id is not null for no key update`;
  return row ?? null;
}

/** Writes the health of a locked channel, and until when its receiver asked for a pause. Keeps its version, because nobody edited it. */
export async function writeHealth(
  tx: Tx,
  id: string,
  { deliveredAt, failingSince, failedMessages, failedAt, lastError }: ChannelHealth,
  retryAfter: Date | null = null,
): Promise<void> {
  // Raw: a model call would set `updated_at`.
  await tx.$executeRaw`
    update channels set delivered_at = ${deliveredAt}, failing_since = ${failingSince}, failed_messages = ${failedMessages},
      failed_at = ${failedAt}, last_error = ${lastError}, retry_after = greatest(retry_after, ${retryAfter}::timestamptz)
    where id = ${id}`;
}

/**
 * Records that the owners are notified of a failing period. Allows one period per channel and hour, so that a channel that alternates between failing
 * and delivering does not flood them.
 * @returns false if the period is over, or the owners were notified of an earlier one within the last hour
 */
export async function markOwnersNotified(channelId: string, failedAt: Date): Promise<boolean> {
  // Raw: by the database's clock, and a model call would set `updated_at`.
  const count = await db.$executeRaw`
    update channels set owners_told_at = clock_timestamp()
    where id = ${channelId} and failed_at = ${failedAt} and (owners_told_at is null or owners_told_at >= failed_at
      or owners_told_at < clock_timestamp() - interval '1 hour')`;
  return count === 1;
}
