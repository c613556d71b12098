import { z } from 'zod';
import { db, type Tx } from '@/server/platform/db';
import { defineJob, enqueue } from '@/server/platform/jobs';
import { attemptDelivery } from './attempt-delivery';

const Payload = z.object({ deliveryId: z.string() });

/** One waiting job per delivery. A job already waiting keeps its time where this one only wants to look again. */
export function scheduleDelivery(tx: Tx, deliveryId: string, runAt: Date, keepRunAt = false): Promise<void> {
  return enqueue(tx, deliverMessage, { deliveryId }, { runAt, jobKey: jobKeyOf(deliveryId), keepRunAt });
}

/** The key that makes two waiting jobs of one delivery impossible. */
export function jobKeyOf(deliveryId: string): string {
  return `deliver:${deliveryId}`;
}

/**
 * Sends one delivery's message. Retries of a message are jobs of their own, queued with the attempt's record; the
 * queue's retries are for what befalls the worker itself.
 */
export const deliverMessage = defineJob({
  name: 'deliver-message',
  schema: Payload,
  async run({ deliveryId }, { signal }) {
    const outcome = await attemptDelivery(deliveryId, scheduleDelivery, signal);
    if (outcome.kind === 'later') await db.$transaction((tx) => scheduleDelivery(tx, deliveryId, outcome.at, true));
  },
});
