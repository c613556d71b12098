import { db } from '@/server/platform/db';

/** Creates the missing partitions for these times. Safe for concurrent calls. */
export async function makeCheckDays(moments: Date[]): Promise<void> {
  // Raw: calls a function of the database that creates partitions.
  await db.$executeRaw`
    select make_check_day(day) from (
      select distinct (at at time zone 'UTC')::date as day from unnest(${moments}::timestamptz[]) at order by 1
    ) days`;
}
