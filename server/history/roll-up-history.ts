import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { defineJob } from '@/server/platform/jobs';
import { DAY_MS, MINUTE_MS } from '@/server/time/schema';
import { listCheckDays } from './check-days';
import { expire, hoursKeptDays } from './expire';
import type { WatchedMonitor } from './read-known';
import { rollUp } from './roll-up';
import { readSmallConfigs } from './small-config';
import { HOURS_A_DAY, hourOf } from './time';

/** The maximum number of hours (of all monitors together) per statement: at an interval of 5 s, about 40,000 results. */
const HOURS_PER_STATEMENT = 60;
/** The delay after its end with which an hour is rolled up, and how many earlier hours are rolled up again to include late results. */
const GRACE_MS = 120_000;
const HOURS_AGAIN = 2;
/** How many monitors with stale roll-ups are read at once. */
const MARKS_AT_ONCE = 100;
/** How long a run rebuilds stale roll-ups: shorter than the interval of the job, so that new hours are rolled up on time. */
const REBUILDING_MS = 4 * MINUTE_MS;

interface Run {
  now: Date;
  signal: AbortSignal;
  /** The first hour with raw results, and the first retained hour. */
  rawFrom: number;
  hoursFrom: number;
}

/** Rolls up the hours from `from` to `to` (exclusive) that are kept, and every day that ends in that range. */
async function rollUpStretch(monitors: WatchedMonitor[], from: number, to: number, run: Run): Promise<void> {
  const { rawFrom, hoursFrom } = run;
  await rollUp(db, 'hour', monitors, { from: Math.max(from, hoursFrom), to, sourceFrom: rawFrom });
  const days = { from: Math.floor(from / HOURS_A_DAY), to: Math.floor(to / HOURS_A_DAY) };
  await rollUp(db, 'day', monitors, { ...days, sourceFrom: hoursFrom / HOURS_A_DAY });
}

const watchedSelect = {
  num: true,
  intervalSeconds: true,
  watchChangedAt: true,
  formerWatchMs: true,
  states: { where: { region: '' }, select: { lastCheckedAt: true } },
} satisfies Prisma.MonitorSelect;

async function toWatched(
  rows: Prisma.MonitorGetPayload<{ select: typeof watchedSelect }>[],
): Promise<WatchedMonitor[]> {
  const configs = await readSmallConfigs(
    db,
    rows.map(({ num }) => num),
  );
  return rows.map(({ states: [state], ...monitor }) => {
    return { ...monitor, config: configs.get(monitor.num) ?? {}, lastCheckedAt: state?.lastCheckedAt ?? null };
  });
}

/** Runs work, and then pauses for as long as it took, to leave capacity for checks and requests. */
async function atHalfLoad(work: () => Promise<void>): Promise<void> {
  const began = performance.now();
  await work();
  await sleep(performance.now() - began);
}

/** Runs work for all monitors in batches whose size depends on the number of hours. Stops if the signal aborts. */
async function eachMonitors(
  { signal }: Run,
  hours: number,
  work: (monitors: WatchedMonitor[]) => Promise<void>,
): Promise<void> {
  const atOnce = Math.max(1, Math.floor(HOURS_PER_STATEMENT / hours));
  for (let after = 0; !signal.aborted; ) {
    const rows = await db.monitor.findMany({
      where: { num: { gt: after } },
      select: watchedSelect,
      orderBy: { num: 'asc' },
      take: atOnce,
    });
    const monitors = await toWatched(rows);
    const last = monitors.at(-1);
    if (!last) return;
    await atHalfLoad(() => work(monitors));
    after = last.num;
  }
}

const readMark = async () => (await db.rollUpMark.findUnique({ where: { id: 1 } }))?.hour ?? null;

async function writeMark(hour: number): Promise<void> {
  await db.rollUpMark.upsert({ where: { id: 1 }, create: { hour }, update: { hour } });
}

/** Rolls up, in the first run, the days from before the time for which hours are kept. Returns the hour to continue from. */
async function rollUpFirstDays(run: Run): Promise<number> {
  const first = await db.statusSpan.aggregate({ _min: { startedAt: true } });
  const from = hourOf(first._min.startedAt ?? run.now);
  const mark = Math.max(from, run.hoursFrom);
  await eachMonitors(run, 1, (monitors) => rollUpStretch(monitors, from, mark, run));
  return mark;
}

/** Rolls up the hours since the last run, at most a day at a time, and deletes expired history after each day. Stores how far it got. */
async function rollUpNewHours(run: Run): Promise<void> {
  const closed = hourOf(new Date(run.now.getTime() - GRACE_MS));
  for (let mark = (await readMark()) ?? (await rollUpFirstDays(run)); mark < closed && !run.signal.aborted; ) {
    const endOfDay = (Math.floor(mark / HOURS_A_DAY) + 1) * HOURS_A_DAY;
    const to = Math.min(closed, endOfDay);
    const from = mark - HOURS_AGAIN;
    await eachMonitors(run, to - from, async (monitors) => {
      await rollUpStretch(monitors, from, to, run);
      if (to !== endOfDay) return;
      await expire(
        db,
        monitors.map(({ num }) => num),
        run.now,
      );
    });
    if (run.signal.aborted) return;
    mark = to;
    await writeMark(mark);
  }
}

/** The next monitors with stale roll-ups: at most `MARKS_AT_ONCE`, teams in turns, so that a team with thousands does not delay another one's. */
function nextStale(): Promise<{ monitorNum: number; hour: number; changes: number }[]> {
  // Raw: the rank of a row in its team. Leaves out marks of deleted monitors, which `remove-deleted` deletes.
  return db.$queryRaw`
    select s.monitor_num as "monitorNum", s.hour, s.changes from stale_roll_ups s join monitors m on m.num = s.monitor_num
    order by row_number() over (partition by m.team_id order by s.monitor_num), m.team_id limit ${MARKS_AT_ONCE}`;
}

/**
 * Rebuilds the roll-ups of monitors from their stale hour on, and clears the mark unless the past changed again meanwhile. Stops after `REBUILDING_MS`:
 * the next run continues, after it has rolled up new hours.
 */
async function rebuildStale(run: Run): Promise<void> {
  const mark = await readMark();
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(REBUILDING_MS)]);
  while (mark !== null && !signal.aborted) {
    const stale = await nextStale();
    if (stale.length === 0) return;
    const nums = stale.map(({ monitorNum }) => monitorNum);
    const rows = await db.monitor.findMany({ where: { num: { in: nums } }, select: watchedSelect });
    const monitors = new Map((await toWatched(rows)).map((monitor) => [monitor.num, monitor]));
    for (const { monitorNum, hour, changes } of stale) {
      if (signal.aborted) return;
      const monitor = monitors.get(monitorNum);
      if (!monitor) continue;
      await atHalfLoad(() => rollUpStretch([monitor], hour, mark, run));
      await db.staleRollUp.deleteMany({ where: { monitorNum, changes } });
    }
  }
}

/**
 * Rolls up spans and raw results into hours and days. The result is a pure function of them, so interrupted or repeated runs give the same. Runs in a
 * queue of its own, so never concurrently.
 */
export const rollUpHistory = defineJob({
  name: 'roll-up-history',
  schema: z.object({
    /** Rebuilds everything: checks and latencies as far as raw results exist, time per status from the first span on. */
    rebuild: z.boolean().default(false),
  }),
  maxAttempts: 3,
  async run({ rebuild }, { signal, now: given }) {
    const now = given ?? (await databaseNow());
    if (rebuild) await db.rollUpMark.deleteMany();
    const today = Math.floor(now.getTime() / DAY_MS);
    const attached = (await listCheckDays()).filter(({ state }) => state === 'attached');
    const run = {
      now,
      signal,
      // Does not rebuild a day whose partition may be dropped during the run.
      rawFrom: Math.max(hourOf(attached[0]?.from ?? now), (today - env.rawRetentionDays + 1) * HOURS_A_DAY),
      hoursFrom: (today - hoursKeptDays()) * HOURS_A_DAY,
    };
    await rollUpNewHours(run);
    await rebuildStale(run);
  },
});
