import type { Db } from '@/server/platform/db';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';
import { HOURS_A_DAY, hourOf } from '../time';
import { addHistogram, noCounts, type Percentiles, toPercentiles } from './histogram';
import { hoursFromChecks } from './histogram-sql';

interface Row {
  at: number;
  latencies: Uint8Array;
}

export interface Latency {
  /** For the whole range. */
  overall: Percentiles;
  /** For each part from `from` on. */
  parts: (Percentiles & { at: Date })[];
}

/**
 * Reads the latency histograms of a range: daily roll-ups if `byDays`, hourly ones after the last rolled-up day (or from the start), and raw results
 * after the last rolled-up hour.
 */
async function readHistograms(db: Db, num: number, from: Date, to: Date, byDays: boolean): Promise<Row[]> {
  const firstHour = hourOf(from);
  const lastHour = hourOf(to) + 1;
  const days = byDays
    ? await db.checkDay.findMany({
        where: { monitorNum: num, day: { gte: firstHour / HOURS_A_DAY, lt: Math.ceil(hourOf(to) / HOURS_A_DAY) } },
        select: { day: true, latencies: true },
        orderBy: { day: 'asc' },
      })
    : [];
  const afterDays = Math.max(firstHour, ((days.at(-1)?.day ?? 0) + 1) * HOURS_A_DAY);
  const hours = await db.checkHour.findMany({
    where: { monitorNum: num, hour: { gte: afterDays, lt: lastHour } },
    select: { hour: true, latencies: true },
    orderBy: { hour: 'asc' },
  });
  const afterHours = Math.max(afterDays, (hours.at(-1)?.hour ?? 0) + 1);
  // Raw: builds histograms from raw results.
  const open = await db.$queryRaw<{ hour: number; latencies: Uint8Array }[]>`
    select hour, latencies from (${hoursFromChecks([num], afterHours, lastHour)}) h`;
  return [
    ...days.map(({ day, latencies }) => ({ at: day * DAY_MS, latencies })),
    ...[...hours, ...open].map(({ hour, latencies }) => ({ at: hour * HOUR_MS, latencies })),
  ];
}

/**
 * Computes a monitor's latency percentiles from roll-ups, in whole milliseconds and at most 5 % off: for `parts` parts of `partMs` each (whole hours,
 * or whole days in UTC) from `from` on, and for the whole range.
 */
export async function readLatency(
  db: Db,
  num: number,
  { from, partMs, parts }: { from: Date; partMs: number; parts: number },
): Promise<Latency> {
  const overall = noCounts();
  const counts = Array.from({ length: parts }, noCounts);
  const to = new Date(from.getTime() + parts * partMs);
  for (const { at, latencies } of await readHistograms(db, num, from, to, partMs % DAY_MS === 0)) {
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
