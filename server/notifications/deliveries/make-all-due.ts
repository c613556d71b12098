import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { BEHIND_ALERTS, defineJob, enqueue } from '@/server/platform/jobs';
import { lockHealth } from './channel-health-queries';
import { makeDue, type Waiting } from './claim-queries';
import { queueChannels } from './queue-queries';

/** Makes one slice of a locked channel's pending deliveries due and queues the channel. Enqueues a job for the next slice if there may be one. */
async function makeSomeDue(tx: Tx, waiting: Waiting): Promise<void> {
  const { channelId, heldOnly } = waiting;
  const afterSeq = await makeDue(tx, waiting);
  await queueChannels(tx, [channelId], 'now');
  if (afterSeq === null) return;
  const jobKey = `make-due:${channelId}:${heldOnly}`;
  await enqueue(tx, makeRestDue, { channelId, heldOnly, afterSeq }, { jobKey, priority: BEHIND_ALERTS });
}

/** Makes the next slice of a channel's pending deliveries due, each in its own transaction, because a day may bring a hundred thousand. */
export const makeRestDue = defineJob({
  name: 'make-due',
  schema: z.object({ channelId: z.string(), heldOnly: z.boolean(), afterSeq: z.string() }),
  async run(waiting) {
    await db.$transaction(async (tx) => {
      if (await lockHealth(tx, waiting.channelId)) await makeSomeDue(tx, waiting);
    });
  },
});

/**
 * Makes the pending deliveries of a locked channel due, in the order in which they were created: the first slice in this transaction, the others by
 * jobs.
 * @param heldOnly only those that quiet hours hold
 */
export function makeAllDue(tx: Tx, channelId: string, { heldOnly }: { heldOnly: boolean }): Promise<void> {
  return makeSomeDue(tx, { channelId, heldOnly, afterSeq: '0' });
}
