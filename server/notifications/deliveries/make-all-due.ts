import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { BEHIND_ALERTS, defineJob, enqueue } from '@/server/platform/jobs';
import { lockHealth } from './channel-health-queries';
import { makeDue, type Waiting } from './claim-queries';
import { queueChannels } from './queue-queries';

/** Makes thousands of deliveries due and queues what is left. The channel is locked. */
async function makeSomeDue(tx: Tx, waiting: Waiting): Promise<void> {
  const { channelId, heldOnly } = waiting;
  const afterSeq = await makeDue(tx, waiting);
  await queueChannels(tx, [channelId], 'now');
  if (afterSeq === null) return;
  const jobKey = `make-due:${channelId}:${heldOnly}`;
  await enqueue(tx, makeRestDue, { channelId, heldOnly, afterSeq }, { jobKey, priority: BEHIND_ALERTS });
}

/** Makes the next pending deliveries of a channel due: a transaction for each slice, because a day may bring a hundred thousand. */
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
 * Makes the pending deliveries of a locked channel due, in the order in which they were created: the first at once, the others by a job.
 * @param heldOnly only those that quiet hours hold
 */
export function makeAllDue(tx: Tx, channelId: string, { heldOnly }: { heldOnly: boolean }): Promise<void> {
  return makeSomeDue(tx, { channelId, heldOnly, afterSeq: '0' });
}
