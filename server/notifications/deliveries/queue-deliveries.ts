import { z } from 'zod';
import type { Tx } from '@/server/platform/db';
import { dequeue, enqueue, enqueueMany } from '@/server/platform/jobs';
import { countWaiting } from './delivery-queries';

const Payload = z.union([
  z.object({ deliveryId: z.string() }),
  z.object({ deliveryIds: z.array(z.string()).min(1) }),
  z.object({ channelId: z.string() }),
]);

/** The maximum number of messages of one channel that a job sends at once. */
const MOST_PER_JOB = 25;

/** A team with this many waiting messages gets the next lower priority. */
const PER_STEP = 20;

/** The definition of the send job without its work, because the work queues further sends (avoids an import cycle). */
export const deliverJob = { name: 'deliver-message', schema: Payload, maxAttempts: 25 };

/** The job key of a delivery, so that it has at most one waiting job. */
export function jobKeyOf(deliveryId: string): string {
  return `deliver:${deliveryId}`;
}

/** Queues a delivery for `runAt`. Replaces its waiting job. */
export function scheduleDelivery(tx: Tx, deliveryId: string, runAt: Date): Promise<void> {
  return enqueue(tx, deliverJob, { deliveryId }, { runAt, jobKey: jobKeyOf(deliveryId) });
}

/**
 * Returns the queue priority of each delivery by ID, lowest first: the more messages of its team are due, the lower the priority. So one team's
 * thousand messages to hanging receivers do not delay another team's single one. Does not count deliveries that wait for a predecessor.
 */
export async function prioritiesOf(tx: Tx, ids: string[]): Promise<Map<string, number>> {
  const rows = await countWaiting(tx, ids);
  return new Map(rows.map(({ id, waiting }) => [id, Math.floor(waiting / PER_STEP)]));
}

/**
 * Queues new deliveries for sending at once, in jobs of one channel each, so that a hanging receiver delays only its own channel, and a team with
 * many of them only itself.
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
    // A job of several deliveries has no key, because replacing it for one of them would lose the others.
    return ids.length === 1
      ? { payload: { deliveryId }, jobKey: jobKeyOf(deliveryId), priority }
      : { payload: { deliveryIds: ids }, priority };
  });
  await enqueueMany(tx, deliverJob, items);
}

/** Queues follow-up jobs in the transaction that records the attempts. */
export type Schedule = (tx: Tx, deliveries: { id: string; runAt: Date }[]) => Promise<void>;

/** Queues the next attempts of failed deliveries, one job each. */
export const scheduleRetries: Schedule = async (tx, deliveries) => {
  const priorities = await prioritiesOf(
    tx,
    deliveries.map(({ id }) => id),
  );
  await enqueueMany(
    tx,
    deliverJob,
    deliveries.map(({ id, runAt }) => {
      return { payload: { deliveryId: id }, jobKey: jobKeyOf(id), runAt, priority: priorities.get(id) ?? 0 };
    }),
  );
};

/** Queues the next send of a channel whose messages are grouped, replacing the waiting one; null cancels it. */
export async function queueGroup(tx: Tx, channelId: string, runAt: Date | null): Promise<void> {
  const jobKey = `deliver-group:${channelId}`;
  if (runAt) await enqueue(tx, deliverJob, { channelId }, { runAt, jobKey });
  else await dequeue(tx, jobKey);
}
