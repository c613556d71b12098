import { type Counts, noCounts, percentile } from '@/server/history/latency/histogram';
import { readDaysLatency } from '@/server/history/latency/read-days-latency';
import { readHistories, uptimeIn } from '@/server/history/read-histories';
import { readSmallConfigs } from '@/server/history/small-config';
import type { UptimeSeconds } from '@/server/history/uptime';
import type { Db } from '@/server/platform/db';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { DAY_MS } from '@/server/time/schema';
import { MOST_REPORTED, type Report, type ReportInput, type ReportRow } from './schema';

/** The maximum number of monitors that are read in a turn. */
const MONITORS_A_TURN = 25;
/** The maximum number of days of all these monitors: reading the histograms of 25 monitors for a year takes 94 ms of the thread. */
const DAYS_A_TURN = 1_500;

const noUptime: Omit<UptimeSeconds, 'ratio'> = {
  upSeconds: 0,
  downSeconds: 0,
  maintenanceSeconds: 0,
  unknownSeconds: 0,
  excludedSeconds: 0,
};

/** Adds the error budget of an objective in percent: the downtime that it allows in the time of known status. */
export function withBudget(uptime: UptimeSeconds, objective: number) {
  const { upSeconds, downSeconds } = uptime;
  const known = upSeconds + downSeconds;
  if (known === 0) return { ...uptime, budgetSeconds: null, leftSeconds: null, burnRate: null };
  // Rounded to milliseconds, because 100 - 99.9 is not exact.
  const budgetSeconds = Math.round(known * (100 - objective) * 10) / 1000;
  return {
    ...uptime,
    budgetSeconds,
    leftSeconds: budgetSeconds - downSeconds,
    burnRate: downSeconds === 0 ? 0 : budgetSeconds === 0 ? null : downSeconds / budgetSeconds,
  };
}

/** Adds up the uptimes of monitors. Every second counts the same, whichever monitor it belongs to. */
function sumOf(uptimes: UptimeSeconds[]): UptimeSeconds {
  const sum = { ...noUptime };
  for (const each of uptimes) for (const name of Object.keys(sum) as (keyof typeof sum)[]) sum[name] += each[name];
  const known = sum.upSeconds + sum.downSeconds;
  return { ...sum, ratio: known > 0 ? sum.upSeconds / known : null };
}

const timesOf = (counts: Counts) => ({ p50Ms: percentile(counts, 0.5), p95Ms: percentile(counts, 0.95) });

/** Compares rows for sorting: highest burn rate first, then lowest uptime; rows without known time last. */
function worstFirst(a: ReportRow, b: ReportRow): number {
  const order = (row: ReportRow) => (row.ratio === null ? -1 : (row.burnRate ?? 0));
  return order(b) - order(a) || (a.ratio ?? 1) - (b.ratio ?? 1) || a.name.localeCompare(b.name, 'en');
}

/** Returns the uptime and response time of a team's monitors in whole days (UTC) against an objective. Reads roll-ups, in turns with other teams. */
export async function getReport(db: Db, teamId: string, input: ReportInput): Promise<Report> {
  const { firstDay, lastDay, tag, monitorIds, objective } = input;
  const now = Date.now();
  const first = Date.parse(firstDay) / DAY_MS;
  const end = Date.parse(lastDay) / DAY_MS + 1;
  const range = { from: new Date(first * DAY_MS), to: new Date(Math.min(now, end * DAY_MS)) };
  const named = monitorIds === undefined ? null : new Set(monitorIds.split(','));
  const found = await db.monitor.findMany({
    where: {
      teamId,
      ...(tag && { tags: { has: tag } }),
      ...(named && { id: { in: [...named] } }),
    },
    orderBy: { id: 'asc' },
    take: MOST_REPORTED + 1,
    select: {
      id: true,
      name: true,
      type: true,
      num: true,
      intervalSeconds: true,
      watchChangedAt: true,
      formerWatchMs: true,
      states: { where: { region: '' }, select: { lastCheckedAt: true } },
    },
  });
  const rows = found.slice(0, MOST_REPORTED);
  const monitors: ReportRow[] = [];
  const all = noCounts();
  const count = Math.max(1, Math.min(MONITORS_A_TURN, Math.floor(DAYS_A_TURN / (end - first))));
  for (let at = 0; at < rows.length; at += count) {
    const some = rows.slice(at, at + count);
    const nums = some.map(({ num }) => num);
    const configs = await readSmallConfigs(db, nums);
    const watched = some.map(({ states, ...row }) => {
      return { ...row, config: configs.get(row.num) ?? {}, lastCheckedAt: states[0]?.lastCheckedAt ?? null };
    });
    const histories = await readHistories(db, watched, [range]);
    const latencies = await readDaysLatency(db, nums, first, end);
    await takeLoopTurn(teamId);
    for (const { id, name, type, num } of some) {
      const history = histories.get(num);
      const counts = latencies.get(num) ?? noCounts();
      for (const [bucket, count] of counts.entries()) all[bucket] = (all[bucket] ?? 0) + count;
      const uptime = history ? uptimeIn(history, range) : { ...noUptime, ratio: null };
      monitors.push({ id, name, type, ...withBudget(uptime, objective), ...timesOf(counts) });
    }
  }
  return {
    from: range.from.toISOString(),
    to: range.to.toISOString(),
    objective,
    overall: { ...withBudget(sumOf(monitors), objective), ...timesOf(all) },
    monitors: monitors.toSorted(worstFirst),
    isComplete: found.length <= MOST_REPORTED,
    missing: named ? named.size - found.length : 0,
  };
}
