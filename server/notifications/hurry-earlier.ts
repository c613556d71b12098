import { db } from '@/server/platform/db';
import { LEASE_MS } from './delivery-queries';
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
    const earlier = await tx.$queryRaw<{ id: string; now: Date }[]>`
      with waiting as materialized (
        -- Not "=", here and below: found by their keys, not among all that are pending.
        select after_id from deliveries where id = any(${ids}::text[]) and status is not distinct from 'pending'
      ), waited_for as materialized (
        select earlier.id, earlier.next_attempt_at from deliveries earlier
        where earlier.id in (select after_id from waiting) and earlier.status is not distinct from 'pending'
        order by earlier.id for no key update
      )
      update deliveries earlier
      set next_attempt_at = least(earlier.next_attempt_at, clock_timestamp())
      from waited_for
      where earlier.id = waited_for.id
        and waited_for.next_attempt_at not between clock_timestamp()
          and clock_timestamp() + ${LEASE_MS} * interval '1 millisecond'
      returning earlier.id, clock_timestamp()::timestamptz(3) as "now"`;
    if (earlier.length === 0) return;
    await schedule(
      tx,
      earlier.map(({ id, now }) => ({ id, runAt: now })),
    );
  });
}
