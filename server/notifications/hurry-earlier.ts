import { db } from '@/server/platform/db';
import { expediteEarlier } from './delivery-queries';
import type { Schedule } from './record-attempts';

/**
 * Something new is to be told of an incident whose earlier message is still being retried: that one is tried now, and
 * not in an hour, so that the new one waits no longer than it must. Whoever is about to try it is left to do so.
 *
 * Waits for those who are recording an attempt at an earlier message. What still waits when this returns is therefore
 * seen by whoever will be done with that message (`recordAttempts`).
 */
export async function hurryEarlier(ids: string[], schedule: Schedule): Promise<void> {
  await db.$transaction(async (tx) => {
    const earlier = await expediteEarlier(tx, ids);
    if (earlier.length === 0) return;
    await schedule(
      tx,
      earlier.map(({ id, now }) => ({ id, runAt: now })),
    );
  });
}
