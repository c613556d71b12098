import type { Db } from '@/server/platform/db';
import type { MonitorStatus } from '@/server/platform/generated/prisma/enums';
import { DAY_MS } from '@/server/time/schema';
import { readKnown, type WatchedMonitor } from './read-known';
import type { Grid } from './read-pieces';
import { STATES, stateColumns } from './state-columns';
import { dayStart, HOURS_A_DAY } from './time';
import {
  addTime,
  type Known,
  noTime,
  type StateMs,
  type TimeRange,
  timeIn,
  timeInParts,
  toUptime,
  type UptimeSeconds,
  worstOf,
} from './uptime';

/** A monitor's past: the time per state of rolled-up days, and the spans of the remaining time. */
export interface History {
  known: Known;
  days: Map<number, StateMs>;
  /** The first day that is not rolled up, or whose roll-up is stale. */
  openDay: number;
}

interface DayRows {
  num: number;
  openDay: number;
  days: string | null;
}

/** Splits a range into the whole days that roll-ups cover (`end` exclusive), and the remainder at both ends. */
function split({ from, to }: TimeRange, openDay: number): { first: number; end: number; rest: TimeRange[] } {
  const first = Math.ceil(from.getTime() / DAY_MS);
  const end = Math.min(Math.floor(to.getTime() / DAY_MS), openDay);
  if (end <= first) return { first, end: first, rest: [{ from, to }] };
  const rest = [
    { from, to: dayStart(first) },
    { from: dayStart(end), to },
  ];
  return { first, end, rest: rest.filter((each) => each.from < each.to) };
}

function toDays(text: string | null): Map<number, StateMs> {
  const rows: [day: number, times: (number | null)[]][] = text ? JSON.parse(text) : [];
  return new Map(
    rows.map(([day, times]) => {
      const time = noTime();
      for (const [index, state] of STATES.entries()) time[state] = times[index] ?? 0;
      return [day, time];
    }),
  );
}

/** A range to read. `partMs` is the length of its parts if it is shown in other parts than days. */
export interface HistoryRange extends TimeRange {
  partMs?: number;
}

const DAYS: Grid = { from: 0, ms: DAY_MS };

/**
 * Reads the data that `uptimeIn` and `dayStrip` need for these ranges of monitors, in two statements for any number of them, and a third for those
 * with many changes.
 */
export async function readHistories(
  db: Db,
  monitors: WatchedMonitor[],
  ranges: HistoryRange[],
): Promise<Map<number, History>> {
  const nums = monitors.map(({ num }) => num);
  const firstDay = Math.min(...ranges.map(({ from }) => Math.ceil(from.getTime() / DAY_MS)));
  // Raw: the first day without a roll-up differs by monitor, and each monitor's days are returned as one value.
  const rows = await db.$queryRaw<DayRows[]>`
    select n.num, n.open_day as "openDay", (
      select json_agg(json_build_array(day, json_build_array(${stateColumns})))::text from check_days d
      where d.monitor_num = n.num and d.day >= ${firstDay}::int and d.day < n.open_day
    ) as days
    from (
      select n.num, coalesce((select least(hour, s.hour) from roll_up_mark), 0) / ${HOURS_A_DAY}::int as open_day
      from unnest(${nums}::int[]) n (num) left join stale_roll_ups s on s.monitor_num = n.num
    ) n`;
  const rolled = new Map(rows.map((row) => [row.num, row]));
  const openDayOf = (num: number) => rolled.get(num)?.openDay ?? 0;
  const gridsOf = ({ from, partMs }: HistoryRange) =>
    partMs === undefined ? [DAYS] : [DAYS, { from: from.getTime(), ms: partMs }];
  const asked = nums.flatMap((num) =>
    ranges.flatMap((range) => {
      const grids = gridsOf(range);
      return split(range, openDayOf(num)).rest.map((rest) => ({ num, ...rest, grids }));
    }),
  );
  const known = await readKnown(db, monitors, asked);
  const nothing = { spans: [], exclusions: [], maintenance: [], watchedUntil: null };
  return new Map(
    nums.map((num) => {
      const days = toDays(rolled.get(num)?.days ?? null);
      return [num, { known: known.get(num) ?? nothing, days, openDay: openDayOf(num) }];
    }),
  );
}

/** Computes the uptime in a range that was read. The result equals that from spans alone, to the millisecond. */
export function uptimeIn({ known, days, openDay }: History, range: TimeRange): UptimeSeconds {
  const sum = noTime();
  const { first, end, rest } = split(range, openDay);
  for (let day = first; day < end; day += 1) {
    const time = days.get(day);
    if (time) addTime(sum, time);
  }
  for (const each of rest) addTime(sum, timeIn(known, each));
  return toUptime(sum);
}

/** Returns the time per state of each of `count` days from `firstDay` on. The current day ends at `now`. */
export function dayTimes(history: History, firstDay: number, count: number, now: Date): StateMs[] {
  const { known, days, openDay } = history;
  const today = Math.floor(now.getTime() / DAY_MS);
  const firstOpen = Math.max(firstDay, openDay);
  // Computes the whole days without roll-ups in one pass over the spans.
  const parts = Math.max(0, Math.min(today, firstDay + count) - firstOpen);
  const open = timeInParts(known, { from: dayStart(firstOpen), partMs: DAY_MS, parts });
  return Array.from({ length: count }, (_, index) => {
    const day = firstDay + index;
    if (day < openDay) return days.get(day) ?? noTime();
    return open[day - firstOpen] ?? timeIn(known, { from: dayStart(day), to: now });
  });
}

/** Returns the most severe status of each of `count` days from `firstDay` on; null without data. The current day ends at `now`. */
export function dayStrip(history: History, firstDay: number, count: number, now: Date): (MonitorStatus | null)[] {
  return dayTimes(history, firstDay, count, now).map(worstOf);
}
