import { db } from '@/server/platform/db';
import { expeditePredecessors } from './delivery-queries';
import type { Schedule } from './queue-deliveries';

/**
 * Expedites the retry of an incident's pending deliveries when a new one is enqueued, so that the new one is not delayed for up to an hour.
 * Deliveries being sent are left alone. Waits for transactions that record an attempt at a predecessor: a delivery still waiting afterwards is seen
 * by the sender that completes its predecessor (`recordAttempts`).
 */
export async function expeditePredecessor(ids: string[], schedule: Schedule): Promise<void> {
  await db.$transaction(async (tx) => {
    const predecessors = await expeditePredecessors(tx, ids);
    if (predecessors.length === 0) return;
    await schedule(
      tx,
      predecessors.map(({ id, now }) => ({ id, runAt: now })),
    );
  });
}
