import type { Db } from '@/server/platform/db';
import { addHistogram, noCounts, type Percentiles, toPercentiles } from './histogram';
import { hoursFromChecks } from './histogram-sql';
import { DAY_MS, HOUR_MS, HOURS_A_DAY, hourOf } from './time';

interface Row {
  at: number;
  latencies: Uint8Array;
}

export interface Latency {
  /** Of the whole range. */
  overall: Percentiles;
  /** Of each of its parts, from `from` on. */
  parts: (Percentiles & { at: Date })[];
}

/** Days where parts are days; hours where they are not, and after the last day; raw results after the last hour. */
async function readRows(db: Db, num: number, from: Date, to: Date, byDays: boolean): Promise<Row[]> {
  const firstHour = hourOf(from);
  const days = byDays
    ? await db.$queryRaw<Row[]>`
        select day as at, latencies from check_days
        where monitor_num = ${num} and day >= ${firstHour / HOURS_A_DAY}::int order by day`
    : [];
  const dayRows = days.map(({ at, latencies }) => ({ at: at * DAY_MS, latencies }));
  const afterDays = Math.max(firstHour, ((days.at(-1)?.at ?? 0) + 1) * HOURS_A_DAY);
  const hours = await db.$queryRaw<Row[]>`
    select hour as at, latencies from check_hours where monitor_num = ${num} and hour >= ${afterDays} order by hour`;
  const afterHours = Math.max(afterDays, (hours.at(-1)?.at ?? 0) + 1);
  const open = await db.$queryRaw<Row[]>`
    select hour as at, latencies from (${hoursFromChecks([num], afterHours, hourOf(to) + 1)}) h`;
  return [...dayRows, ...[...hours, ...open].map(({ at, latencies }) => ({ at: at * HOUR_MS, latencies }))];
}

/**
 * Percentiles of the latency of a monitor's answers, in whole milliseconds and at most 5 % off, in `parts` parts of
 * `partMs` from `from` on: whole hours, or whole days in UTC.
 */
export async function readLatency(
  db: Db,
  num: number,
  { from, partMs, parts }: { from: Date; partMs: number; parts: number },
): Promise<Latency> {
  const overall = noCounts();
  const counts = Array.from({ length: parts }, noCounts);
  const to = new Date(from.getTime() + parts * partMs);
  for (const { at, latencies } of await readRows(db, num, from, to, partMs % DAY_MS === 0)) {
    const part = counts[Math.floor((at - from.getTime()) / partMs)];
    if (!part) continue;
    addHistogram(part, latencies);
    addHistogram(overall, latencies);
  }
  return {
    overall: toPercentiles(overall),
    parts: counts.map((each, index) => ({ at: new Date(from.getTime() + index * partMs), ...toPercentiles(each) })),
  };
}
