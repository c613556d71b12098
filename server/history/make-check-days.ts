import { db } from '@/server/platform/db';
import { log } from '@/server/platform/log';

/** Creates the missing partitions of raw results for these times. Safe for concurrent calls. */
export async function makeCheckDays(moments: Date[]): Promise<void> {
  // Raw: calls a function of the database that creates partitions.
  await db.$executeRaw`
    select make_check_day(day) from (
      select distinct (at at time zone 'UTC')::date as day from unnest(${moments}::timestamptz[]) at order by 1
    ) days`;
}

/** Matches the message of a missing partition, because its error code is that of any check constraint (23514). */
const NO_DAY = /no partition of relation "checks" found for row/;

/** Runs `work`, which stores raw results at these times. If a partition is missing, creates it and runs `work` again. */
export async function withCheckDays<T>(moments: Date[], work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!NO_DAY.test(String(error))) throw error;
    log.warn('A day of raw results was not made ahead');
    await makeCheckDays(moments);
    return work();
  }
}
