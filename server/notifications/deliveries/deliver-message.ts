import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { groupWrites } from '@/server/platform/group-writes';
import { defineJob, dequeue, enqueue, enqueueMany } from '@/server/platform/jobs';
import type { QueueGroup } from './attempt-group';
import { type Batch, deliverInTurn } from './deliver-in-turn';
import { prioritiesOf } from './priorities';
import type { Schedule } from './record-attempts';

const Payload = z.union([
  z.object({ deliveryId: z.string() }),
  z.object({ deliveryIds: z.array(z.string()).min(1) }),
  z.object({ channelId: z.string() }),
]);

/** The number of messages of one channel that a job sends at once. */
const MOST_PER_JOB = 25;

/** The job key that limits a delivery to one waiting job. */
function jobKeyOf(deliveryId: string): string {
  return `deliver:${deliveryId}`;
}

/** Queues a delivery for `runAt`. A delivery has one waiting job. */
export function scheduleDelivery(tx: Tx, deliveryId: string, runAt: Date): Promise<void> {
  return enqueue(tx, deliverMessage, { deliveryId }, { runAt, jobKey: jobKeyOf(deliveryId) });
}

/**
 * Queues new deliveries for sending at once, in jobs of one channel each: a hanging receiver delays its own channel alone, and a team with many of
 * them delays itself alone.
 */
export async function queueDeliveries(tx: Tx, deliveries: { id: string; channelId: string }[]): Promise<void> {
  const byChannel = new Map<string, string[]>();
  for (const { id, channelId } of deliveries) byChannel.set(channelId, [...(byChannel.get(channelId) ?? []), id]);
  const jobs = [...byChannel.values()].flatMap((ids) =>
    Array.from({ length: Math.ceil(ids.length / MOST_PER_JOB) }, (_, index) =>
      ids.slice(index * MOST_PER_JOB, (index + 1) * MOST_PER_JOB),
    ),
  );
  const priorities = await prioritiesOf(
    tx,
    deliveries.map(({ id }) => id),
  );
  const items = jobs.map((ids) => {
    const [deliveryId = ''] = ids;
    const priority = priorities.get(deliveryId) ?? 0;
    // A job of several deliveries has no key: replacing it for one of them would lose the others.
    return ids.length === 1
      ? { payload: { deliveryId }, jobKey: jobKeyOf(deliveryId), priority }
      : { payload: { deliveryIds: ids }, priority };
  });
  await enqueueMany(tx, deliverMessage, items);
}

/** Queues the next attempts of failed deliveries, one job each. */
export const scheduleRetries: Schedule = async (tx, deliveries) => {
  const priorities = await prioritiesOf(
    tx,
    deliveries.map(({ id }) => id),
  );
  await enqueueMany(
    tx,
    deliverMessage,
    deliveries.map(({ id, runAt }) => {
      return { payload: { deliveryId: id }, jobKey: jobKeyOf(id), runAt, priority: priorities.get(id) ?? 0 };
    }),
  );
};

/** Queues the next look at a channel whose messages are grouped. It has one waiting job. */
const queueGroup: QueueGroup = async (tx, channelId, runAt) => {
  const jobKey = `deliver-group:${channelId}`;
  if (runAt) await enqueue(tx, deliverMessage, { channelId }, { runAt, jobKey });
  else await dequeue(tx, jobKey);
};

function toBatch(payload: z.output<typeof Payload>): Batch {
  if ('channelId' in payload) return payload;
  return { ids: 'deliveryId' in payload ? [payload.deliveryId] : payload.deliveryIds };
}

interface Look {
  payload: z.input<typeof Payload>;
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
  name: 'deliver-message',
  schema: Payload,
  // Follow-up jobs inherit the priority of the job that queues them.
  async run(payload, { signal, priority }) {
    const batch = toBatch(payload);
    const again = `look-again:${'ids' in batch ? batch.ids[0] : batch.channelId}`;
    const queueing = {
      schedule: scheduleRetries,
      queueGroup,
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
