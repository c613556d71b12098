import { commitBefore } from '@/server/platform/database/held-transaction';
import { newId } from '@/server/platform/ids';
import { holdChannels } from '@/server/platform/locks';
import { assertMailQuota } from '@/server/platform/mail/quota';
import type { OnOneObject } from '@/server/trpc/contexts';
import { attemptDeliveries } from './deliveries/attempt-deliveries';
import { scheduleDelivery, scheduleRetries } from './deliveries/queue-deliveries';
import { recipientOf } from './providers/definitions';
import { findChannel, readDelivery } from './queries';
import type { TestDelivery } from './schema';
import { testEvent, testNote } from './test-event';

/** Longer than any attempt: by then, the request has either sent the message or its process has died. */
const FALLBACK_AFTER_MS = 60_000;

/**
 * Sends a test message immediately, through the same code as notifications, and returns the result. Not retried.
 * @param ownerId for a contact method of this member instead of a channel of the team
 * @throws AppError NOT_FOUND, RATE_LIMITED (daily mail limit)
 */
export async function testChannel({ ctx, input }: OnOneObject, ownerId: string | null = null): Promise<TestDelivery> {
  const { id: teamId } = ctx.team;
  const id = newId();
  const now = new Date();
  const type = await ctx.db.$transaction(async (tx) => {
    // Locks the channel against deletion, so that one deleted meanwhile is NOT_FOUND instead of a foreign key violation.
    await holdChannels(tx, teamId, { ids: [input.id], ownerId });
    const channel = await findChannel(tx, teamId, input.id, ownerId);
    const to = recipientOf(channel);
    if (to !== null) await assertMailQuota(tx, { by: { teamId }, to });
    const payload = testEvent(ownerId === null ? channel : null, now);
    await tx.delivery.create({
      data: {
        id,
        teamId,
        channelId: channel.id,
        event: payload.type,
        eventKey: `channel.test:${id}`,
        payload: payload as object,
        nextAttemptAt: new Date(0),
      },
    });
    await scheduleDelivery(tx, id, new Date(now.getTime() + FALLBACK_AFTER_MS));
    return channel.type;
  });
  await commitBefore({ delivery: await readDelivery(ctx.db, teamId, id), note: null });
  await attemptDeliveries([id], scheduleRetries);
  const delivery = await readDelivery(ctx.db, teamId, id);
  return { delivery, note: delivery.status === 'delivered' ? testNote(type) : null };
}
