import { commitBefore } from '@/server/platform/database/held-transaction';
import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { lockChannel } from '@/server/platform/locks';
import { assertMailQuota } from '@/server/platform/mail/quota';
import type { OnOneObject } from '@/server/trpc/contexts';
import { type Claim, LEASE_MS, readDestination } from './deliveries/claim-queries';
import { queueChannels } from './deliveries/queue-queries';
import { SEND_WITHIN_MS, sendEach } from './deliveries/send';
import { recipientOf } from './providers/definitions';
import { findChannel, readDelivery } from './queries';
import type { TestDelivery } from './schema';
import { testEvent, testNote } from './test-event';

/**
 * Sends a test message immediately, through the same code as notifications, and returns the result. Not retried.
 * @param ownerId for a contact method of this member instead of a channel of the team
 * @throws AppError NOT_FOUND, RATE_LIMITED (daily mail limit)
 */
export async function testChannel({ ctx, input }: OnOneObject, ownerId: string | null = null): Promise<TestDelivery> {
  const { id: teamId } = ctx.team;
  const id = newId();
  const { type, claim } = await ctx.db.$transaction(async (tx) => {
    // Locks the channel against deletion, so that one deleted meanwhile is NOT_FOUND instead of a foreign key violation.
    await lockChannel(tx, teamId, input.id);
    const channel = await findChannel(tx, teamId, input.id, ownerId);
    const to = recipientOf(channel);
    if (to !== null) await assertMailQuota(tx, { by: { teamId }, to });
    const at = await databaseNow(tx);
    const payload = testEvent(ownerId === null ? channel : null, at);
    // Claimed by this request. If its process dies, a worker sends the test at the end of the lease.
    const leaseUntil = new Date(at.getTime() + LEASE_MS);
    const claim: Claim = { id, event: payload.type, opening: 0, payload, attempts: 0, isPrompt: true, at, leaseUntil };
    await tx.delivery.create({
      data: {
        id,
        teamId,
        channelId: channel.id,
        event: payload.type,
        eventKey: `channel.test:${id}`,
        payload: payload as object,
        nextAttemptAt: leaseUntil,
        leaseUntil,
      },
    });
    await queueChannels(tx, [channel.id], { notBefore: null });
    return { type: channel.type, claim };
  });
  await commitBefore({ delivery: await readDelivery(ctx.db, teamId, id), note: null });
  const destination = await readDestination(db, input.id, { lock: false });
  const signal = AbortSignal.timeout(SEND_WITHIN_MS);
  if (destination) await sendEach(destination, [claim], { signal, notBefore: () => null });
  const delivery = await readDelivery(ctx.db, teamId, id);
  return { delivery, note: delivery.status === 'delivered' ? testNote(type) : null };
}
