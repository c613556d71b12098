import type { Tx } from '@/server/platform/db';
import { HOUR_MS } from '@/server/time/schema';

/**
 * Marks the roll-ups of monitors as stale from a given time on, in the transaction that changes the past. Stale roll-ups are not read until the next
 * run rebuilds them. Does nothing for the current hour, which is not rolled up yet.
 */
export async function markStale(tx: Tx, changed: { monitorNum: number; since: Date }[]): Promise<void> {
  const openHour = Math.floor(Date.now() / HOUR_MS);
  const past = changed
    .map(({ monitorNum, since }) => ({ num: monitorNum, hour: Math.floor(since.getTime() / HOUR_MS) }))
    .filter(({ hour }) => hour < openHour)
    .sort((a, b) => a.num - b.num);
  if (past.length === 0) return;
  // Raw: an upsert of many rows that keeps the earlier hour.
  await tx.$executeRaw`
    insert into stale_roll_ups as s (monitor_num, hour)
    select num, hour from jsonb_to_recordset(${JSON.stringify(past)}::jsonb) as r (num int, hour int)
    on conflict (monitor_num) do update set hour = least(s.hour, excluded.hour), changes = s.changes + 1`;
}
