import { db } from '@/server/platform/db';

/** The database's time, which no machine's wrong clock changes. */
export async function databaseNow(): Promise<Date> {
  const [row] = await db.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) throw new Error('The database did not tell the time.');
  return row.now;
}
