import { hoursKeptDays } from '@/server/history/expire';
import { readPoints } from '@/server/history/latency/read-check-latency';
import { type Latency, readLatency } from '@/server/history/latency/read-latency';
import { readKnown, type WatchedMonitor } from '@/server/history/read-known';
import { type Known, outagesIn, stripFromSpans, type TimeRange } from '@/server/history/uptime';
import type { ChartRange, MonitorDetail } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { linkLatest } from './chart-links';
import { type Latest, readLatest } from './read-latest';

const HOUR_S = 3600;
const DAY_S = 86_400;

/** The length of a chart and of its parts in seconds, and whether it uses roll-ups instead of raw results. */
interface Extent {
  seconds: number;
  part: number;
  rolledUp: boolean;
}

const charts: Record<ChartRange, Extent> = {
  '3h': { seconds: 3 * HOUR_S, part: 60, rolledUp: false },
  '24h': { seconds: DAY_S, part: 300, rolledUp: false },
  '7d': { seconds: 7 * DAY_S, part: HOUR_S, rolledUp: true },
  '30d': { seconds: 30 * DAY_S, part: 4 * HOUR_S, rolledUp: true },
  '90d': { seconds: 90 * DAY_S, part: DAY_S, rolledUp: true },
};

/** The charts that replace the one of 3 h for a new monitor, because 3 h would compress its first minutes into one line. */
const firstCharts: Extent[] = [
  { seconds: 720, part: 5, rolledUp: false },
  { seconds: 1800, part: 15, rolledUp: false },
  { seconds: HOUR_S, part: 30, rolledUp: false },
];

/** Returns the chart for a selected range; for 3 h, a shorter one if that covers the monitor's whole life. */
export function extentOf(range: ChartRange, ageSeconds: number): Extent {
  const first = range === '3h' ? firstCharts.find(({ seconds }) => ageSeconds < seconds) : undefined;
  return first ?? charts[range];
}

/** The lengths of the parts of a chart of any span, in seconds. */
const partLengths = [5, 15, 30, 60, 120, 300, 600, 1800, HOUR_S, 4 * HOUR_S, DAY_S];
/** The maximum number of parts of a chart of any span up to 300 days. */
const MOST_PARTS = 300;

/**
 * Returns the extent of a chart of any span, with the shortest parts of which there are at most `MOST_PARTS`. Uses raw results for up to a day, as
 * the ranges do, then hourly roll-ups as long as they are kept, then daily ones.
 */
export function extentOfSpan({ from, to }: TimeRange, now: Date): Extent {
  const seconds = (to.getTime() - from.getTime()) / 1000;
  const ageDays = (now.getTime() - from.getTime()) / 1000 / DAY_S;
  const rolledUp = seconds > DAY_S || ageDays >= env.rawRetentionDays;
  const shortest = !rolledUp ? 0 : ageDays < hoursKeptDays() - 1 ? HOUR_S : DAY_S;
  const part = partLengths.find((each) => each >= shortest && seconds / each <= MOST_PARTS) ?? DAY_S;
  return { seconds, part, rolledUp };
}

const toText = ({ from, to }: TimeRange) => ({ from: from.toISOString(), to: to.toISOString() });

/**
 * Returns the length of a chart's parts in seconds. Not shorter than the interval, because that would leave gaps. With roll-ups, rounded up to whole
 * hours, or to whole days if longer than a day.
 */
export function bucketOf({ part, rolledUp }: Extent, intervalSeconds: number): number {
  const seconds = Math.max(part, intervalSeconds);
  if (!rolledUp) return seconds;
  const unit = seconds > DAY_S ? DAY_S : HOUR_S;
  return Math.ceil(seconds / unit) * unit;
}

async function readParts(
  db: Db,
  num: number,
  rolledUp: boolean,
  range: { from: Date; parts: number; bucketSeconds: number },
): Promise<Latency> {
  const { from, parts, bucketSeconds } = range;
  if (rolledUp) return readLatency(db, num, { from, partMs: bucketSeconds * 1000, parts });
  return readPoints(db, num, range);
}

/**
 * Returns the start and the number of a chart's parts. They start at multiples of their length, so that points do not move between requests: the
 * first one starts at or before the range, and the last one ends at or after its end.
 */
export function partsOf({ seconds }: Pick<Extent, 'seconds'>, bucketSeconds: number, end: Date) {
  const bucketMs = bucketSeconds * 1000;
  const from = new Date(Math.floor((end.getTime() - Math.round(seconds * 1000)) / bucketMs) * bucketMs);
  return { from, parts: Math.max(1, Math.ceil((end.getTime() - from.getTime()) / bucketMs)) };
}

/** Returns the outages, exclusions and maintenance of a range; for a monitor with too many, only the latest. */
async function latestOf(db: Db, num: number, known: Known, range: TimeRange): Promise<Latest> {
  if (known.pieces) return readLatest(db, num, range);
  const within = (each: TimeRange) => each.to > range.from && each.from < range.to;
  const [exclusions, maintenance] = [known.exclusions.filter(within), known.maintenance.filter(within)];
  return { outages: outagesIn(known, range), exclusions, maintenance };
}

/**
 * Reads the chart of a monitor.
 * @param wanted a range that ends now, or any span
 * @returns the chart, and when it starts
 */
export async function readChart(
  db: Db,
  monitor: WatchedMonitor & { id: string; createdAt: Date; regions: string[] },
  wanted: ChartRange | TimeRange,
  now: Date,
): Promise<{ chart: MonitorDetail['chart']; from: Date }> {
  const isRange = typeof wanted === 'string';
  const ageSeconds = (now.getTime() - monitor.createdAt.getTime()) / 1000;
  const end = isRange || wanted.to > now ? now : wanted.to;
  const extent = isRange ? extentOf(wanted, ageSeconds) : extentOfSpan({ from: wanted.from, to: end }, now);
  const bucketSeconds = bucketOf(extent, monitor.intervalSeconds);
  const { from, parts } = partsOf(extent, bucketSeconds, end);
  const to = new Date(from.getTime() + parts * bucketSeconds * 1000);
  const grids = [{ from: from.getTime(), ms: bucketSeconds * 1000 }];
  const [all, latency] = await Promise.all([
    readKnown(db, [monitor], [{ num: monitor.num, from, to: end, grids }]),
    readParts(db, monitor.num, extent.rolledUp, { from, parts, bucketSeconds }),
  ]);
  const known = all.get(monitor.num) ?? { spans: [], exclusions: [], maintenance: [], watchedUntil: null };
  const strip = stripFromSpans(known, { from, to, parts, now });
  const latest = await latestOf(db, monitor.num, known, { from, to: end });
  const { outages, maintenance } = await linkLatest(db, monitor, latest);
  const chart = {
    from: from.toISOString(),
    to: end.toISOString(),
    bucketSeconds,
    checksPerPart: (bucketSeconds / monitor.intervalSeconds) * Math.max(1, monitor.regions.length),
    points: latency.parts.map(({ at, ...point }, index) => {
      return { ...point, at: at.toISOString(), status: strip[index] ?? null };
    }),
    overall: latency.overall,
    outages: outages.map(({ from, to, incidentId }) => {
      return { from: from.toISOString(), to: to?.toISOString() ?? null, incidentId };
    }),
    exclusions: latest.exclusions.map(toText),
    maintenance: maintenance.map(({ windowId, ...each }) => ({ ...toText(each), windowId })),
  };
  return { chart, from };
}
