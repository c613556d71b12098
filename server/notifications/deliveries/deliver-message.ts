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

/**
 * The key of a batch's retry job. It differs from the key of a single message, because replacing or cancelling one by the other would lose the rest
 * of the batch. Older workers use the same keys.
 */
function retryKeyOf(batch: Batch): string {
  if ('channelId' in batch) return `look-again:${batch.channelId}`;
  const [first, ...others] = batch.ids;
  return `look-again:${first}${others.length > 0 ? `+${others.length}` : ''}`;
}

interface QueuedRetry {
  payload: Payload;
  jobKey: string;
  runAt: Date;
  priority: number;
}

/**
 * Queues retries of batches that outlast their jobs. Groups them, because hanging receivers cause hundreds per second and each NOTIFY of the job
 * queue takes a database-wide lock.
 */
const enqueueRetry = groupWrites<QueuedRetry>(async (retries) => {
  const byKey = new Map(retries.map((retry) => [retry.jobKey, retry]));
  await enqueueMany(db, deliverMessage, [...byKey.values()]);
});

/**
 * Sends one or several deliveries. Retries after a failed attempt are separate jobs, queued when the attempt is recorded; the queue's own retries
 * only cover failures of the worker.
 */
export const deliverMessage = defineJob({
  ...deliverJob,
  // Follow-up jobs inherit the priority of the job that queues them.
  async run(payload, { signal, priority }) {
    const batch = toBatch(payload);
    const again = retryKeyOf(batch);
    const queueing = {
      schedule: scheduleRetries,
      queueRetry: (runAt: Date) => enqueueRetry({ payload, jobKey: again, runAt, priority }),
      cancelRetry: () => dequeue(db, again),
      queueLater: (later: { id: string; runAt: Date }[]) =>
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
