import type { z } from 'zod';
import { db } from '@/server/platform/db';
import { groupWrites } from '@/server/platform/group-writes';
import { defineJob, dequeue, enqueue, enqueueMany } from '@/server/platform/jobs';
import { type Batch, deliverInTurn } from './deliver-in-turn';
import { deliverJob, jobKeyOf, scheduleRetries } from './queue-deliveries';

type Payload = z.output<typeof deliverJob.schema>;

function toBatch(payload: Payload): Batch {
  if ('channelId' in payload) return payload;
  return { ids: 'deliveryId' in payload ? [payload.deliveryId] : payload.deliveryIds };
}

/** A retry of one message must not replace or cancel that of the batch whose first it is: the others would be lost. */
function lookKeyOf(batch: Batch): string {
  if ('channelId' in batch) return `look-again:${batch.channelId}`;
  const [first, ...others] = batch.ids;
  return `look-again:${first}${others.length > 0 ? `+${others.length}` : ''}`;
}

interface Look {
  payload: Payload;
  jobKey: string;
  runAt: Date;
  priority: number;
}

/**
 * Queues retries of batches that outlast their jobs. While many receivers hang there are hundreds per second, and each NOTIFY of the queue takes a
 * database-wide lock, so they are queued together.
 */
const queueLook = groupWrites<Look>(async (looks) => {
  const byKey = new Map(looks.map((look) => [look.jobKey, look]));
  await enqueueMany(db, deliverMessage, [...byKey.values()]);
});

/**
 * Sends the messages of one or several deliveries. Retries of a message are separate jobs, queued with the attempt's record; the queue's retries
 * cover failures of the worker itself.
 */
export const deliverMessage = defineJob({
  ...deliverJob,
  // Follow-up jobs inherit the priority of the job that queues them.
  async run(payload, { signal, priority }) {
    const batch = toBatch(payload);
    const again = lookKeyOf(batch);
    const queueing = {
      schedule: scheduleRetries,
      lookAgain: (runAt: Date) => queueLook({ payload, jobKey: again, runAt, priority }),
      spareLook: () => dequeue(db, again),
      lookLater: (later: { id: string; runAt: Date }[]) =>
        db.$transaction(async (tx) => {
          for (const { id, runAt } of later) {
            const options = { runAt, jobKey: jobKeyOf(id), keepRunAt: true, priority };
            await enqueue(tx, deliverMessage, { deliveryId: id }, options);
          }
        }),
    };
    await deliverInTurn(batch, queueing, signal);
  },
});
