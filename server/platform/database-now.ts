import { type Db, db } from './db';

/** Returns the time by the database's clock, which all processes share. */
export async function databaseNow(on: Db = db): Promise<Date> {
  // Raw: no model call reads the clock.
  const [row] = await on.$queryRaw<{ now: Date }[]>`select clock_timestamp() as now`;
  if (!row) throw new Error('The database did not return the time.');
  return row.now;
}
