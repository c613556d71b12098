import type { MonitorDetail } from '@/server/monitor-types/schema';
import { type Tick, worst } from './bars';

export type ChartData = MonitorDetail['chart'];
export type ChartPoint = ChartData['points'][number];
/** A span to zoom into; ISO 8601. */
export interface ChartSpan {
  since: string;
  until: string;
}
export type Percentile = 'p50' | 'p95' | 'p99';

const percentiles: Percentile[] = ['p50', 'p95', 'p99'];

/** The percentiles that a chart draws. Slots with single checks give equal percentiles, so one line is drawn. */
export function linesOf({ checksPerPart }: ChartData): Percentile[] {
  return checksPerPart < 2 ? ['p50'] : percentiles;
}

/** The plot's internal units, which are stretched to its box. */
export const WIDTH = 1000;
export const HEIGHT = 200;

const round = (value: number) => Math.round(value * 10) / 10;

/** A percentile of a point; null if an outage covers the whole slot. In a partly covered slot, the other responses count. */
export function latencyOf(chart: ChartData, point: ChartPoint, which: Percentile): number | null {
  const start = Date.parse(point.at);
  const end = start + chart.bucketSeconds * 1000;
  const isCovered = chart.outages.some(
    ({ from, to }) => Date.parse(from) <= start && (to === null || Date.parse(to) >= end),
  );
  return isCovered ? null : point[which];
}

function highest(chart: ChartData, point: ChartPoint): number {
  return Math.max(...linesOf(chart).map((which) => latencyOf(chart, point, which) ?? 0));
}

/** The axis: from 0 to `max` milliseconds with a label at every tick. */
export interface Scale {
  max: number;
  ticks: number[];
}

/** The smallest whole one of 1, 2, 2.5 and 5 times a power of ten that is at least `value`. */
function niceStep(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value));
  const steps = [1, 2, 2.5, 5, 10].map((factor) => factor * power);
  return steps.find((step) => step >= value * 0.999 && Number.isInteger(step)) ?? 10 * power;
}

/**
 * An axis from 0 with at most four lines. Ignores one or two outliers, which are clipped. Includes the threshold unless that would flatten the lines.
 * @param before the medians of the span before are on the axis too
 */
export function latencyScale(chart: ChartData, thresholdMs: number | null, before: ChartData | null = null): Scale {
  const medians = before?.points.map((point) => latencyOf(before, point, 'p50') ?? 0) ?? [];
  const values = [...chart.points.map((point) => highest(chart, point)), ...medians]
    .filter((value) => value > 0)
    .sort((a, b) => a - b);
  const most = values.at(-1) ?? 0;
  const usual = values[Math.max(0, Math.ceil(values.length * 0.98) - 1)] ?? 0;
  let top = values.length >= 20 && most > usual * 2.5 ? usual * 1.25 : most;
  if (thresholdMs !== null && thresholdMs <= Math.max(top * 3, 1)) top = Math.max(top, thresholdMs * 1.1);
  const step = Math.max(1, niceStep(Math.max(top, 3) / 3));
  const lines = Math.max(1, Math.ceil(top / step - 0.001));
  return { max: step * lines, ticks: Array.from({ length: lines + 1 }, (_, index) => index * step) };
}

/** The position of a time in the chart from 0 (start) to 1 (now), clamped. */
export function position(chart: ChartData, at: string | number): number {
  const from = Date.parse(chart.from);
  const to = Date.parse(chart.to);
  const time = typeof at === 'number' ? at : Date.parse(at);
  return Math.min(1, Math.max(0, (time - from) / (to - from)));
}

/** The position of the middle of a point's slot from 0 to 1. The current slot ends now. */
export function middle(chart: ChartData, point: ChartPoint): number {
  const start = Date.parse(point.at);
  const end = Math.min(start + chart.bucketSeconds * 1000, Date.parse(chart.to));
  return position(chart, (start + end) / 2);
}

/** The maximum time between two responses that count as adjacent: one interval plus some lateness. */
function reachMs(chart: ChartData, intervalSeconds: number): number {
  return Math.max(chart.bucketSeconds, intervalSeconds) * 2000;
}

/**
 * The line of a percentile as an SVG path. It has gaps for slots with checks but no response, and where more than two
 * intervals passed without a response. A single point is a dash as wide as its slot.
 */
export function linePath(chart: ChartData, which: Percentile, max: number, intervalSeconds: number): string {
  const runs: { x: number; y: number }[][] = [];
  let before: ChartPoint | null = null;
  for (const point of chart.points) {
    const value = latencyOf(chart, point, which);
    if (value === null) {
      if (point.status === 'down') before = null;
      continue;
    }
    const joined = before && Date.parse(point.at) - Date.parse(before.at) <= reachMs(chart, intervalSeconds);
    const spot = { x: middle(chart, point) * WIDTH, y: HEIGHT - (Math.min(value, max) / max) * HEIGHT };
    const run = joined ? runs.at(-1) : undefined;
    if (run) run.push(spot);
    else runs.push([spot]);
    before = point;
  }
  const half = Math.max(3, (chart.bucketSeconds * 500 * WIDTH) / (Date.parse(chart.to) - Date.parse(chart.from)));
  return runs
    .map((run) => {
      const [first] = run;
      if (run.length === 1 && first) {
        // The current slot is not over yet, so its dash ends now.
        const [from, to] = [Math.max(0, first.x - half), Math.min(WIDTH, first.x + half)];
        return `M${round(from)} ${round(first.y)}h${round(to - from)}`;
      }
      return run.map(({ x, y }, index) => `${index === 0 ? 'M' : 'L'}${round(x)} ${round(y)}`).join('');
    })
    .join('');
}

/** Points above the axis with their values, drawn as carets at the top. */
export function clipped(chart: ChartData, max: number): { left: number; value: number }[] {
  return chart.points.flatMap((point) => {
    const value = highest(chart, point);
    return value > max ? [{ left: middle(chart, point), value }] : [];
  });
}

/**
 * The gaps of more than two intervals without a response or an outage, as fractions of the width. Time before `since`
 * (the creation of the monitor) is not a gap.
 */
export function gaps(chart: ChartData, since: string, intervalSeconds: number): { left: number; width: number }[] {
  const bucketMs = chart.bucketSeconds * 1000;
  const found: { left: number; width: number }[] = [];
  let known = Math.max(Date.parse(chart.from), Date.parse(since));
  const close = (until: number) => {
    if (until - known > reachMs(chart, intervalSeconds)) {
      const left = position(chart, known);
      found.push({ left, width: position(chart, until) - left });
    }
  };
  for (const point of chart.points) {
    if (point.p50 === null && point.status !== 'down') continue;
    const at = Date.parse(point.at);
    close(at);
    known = Math.max(known, at + bucketMs);
  }
  close(Date.parse(chart.to));
  return found;
}

/** Exclusions or maintenance as fractions of the width. */
export function bands<Span extends { from: string; to: string }>(
  chart: ChartData,
  spans: Span[],
): (Span & { left: number; width: number })[] {
  return spans.map((span) => {
    const left = position(chart, span.from);
    return { ...span, left, width: position(chart, span.to) - left };
  });
}

/** The shortest span of which there is a chart. */
const SHORTEST_MS = 60_000;

/** The span before a chart, as long as the whole parts of the chart. */
export function spanBefore({ from, to, bucketSeconds }: ChartData): ChartSpan {
  const bucketMs = bucketSeconds * 1000;
  const fewest = Math.ceil(SHORTEST_MS / bucketMs);
  const length = Math.max(fewest, Math.floor((Date.parse(to) - Date.parse(from)) / bucketMs)) * bucketMs;
  return { since: new Date(Date.parse(from) - length).toISOString(), until: from };
}

/** Moves the chart of the span before onto the time of a chart, to compare them. */
export function moveOnto(chart: ChartData, before: ChartData): ChartData {
  const { from, to } = chart;
  const byMs = Date.parse(from) - Date.parse(spanBefore(chart).since);
  const move = (at: string) => new Date(Date.parse(at) + byMs).toISOString();
  return {
    ...before,
    from,
    to,
    points: before.points.map((point) => ({ ...point, at: move(point.at) })),
    outages: before.outages.map((each) => ({ ...each, from: move(each.from), to: each.to && move(each.to) })),
  };
}

/** The median of a moved chart at the time of a point; null without one. */
export function medianAt(moved: ChartData, point: ChartPoint): number | null {
  const [at, bucketMs] = [Date.parse(point.at), moved.bucketSeconds * 1000];
  const found = moved.points.find((each) => Date.parse(each.at) <= at && at < Date.parse(each.at) + bucketMs);
  return found ? latencyOf(moved, found, 'p50') : null;
}

/** The last point with a response, for the legend; null during an outage. */
export function lastAnswer(chart: ChartData): ChartPoint | null {
  if (chart.outages.some(({ to }) => to === null)) return null;
  return chart.points.findLast((point) => latencyOf(chart, point, 'p50') !== null) ?? null;
}

/** The span of the slots between two points, at least a minute, for a chart of its own. */
export function spanOf({ points, bucketSeconds }: ChartData, one: number, other: number): ChartSpan | null {
  const [first, last] = [points[Math.min(one, other)], points[Math.max(one, other)]];
  if (!first || !last) return null;
  const until = Math.max(Date.parse(last.at) + bucketSeconds * 1000, Date.parse(first.at) + 60_000);
  return { since: first.at, until: new Date(until).toISOString() };
}

/** The index of the point whose slot contains `fraction` of the width. */
export function pointAt(chart: ChartData, fraction: number): number {
  const time = Date.parse(chart.from) + fraction * (Date.parse(chart.to) - Date.parse(chart.from));
  const index = chart.points.findLastIndex(({ at }) => Date.parse(at) <= time);
  return Math.max(0, index);
}

/**
 * The bars of the lane below the plot. Each is at least one interval long and shows its worst status. The last one
 * ends after now, where the lane is cut off.
 */
export function laneTicks(chart: ChartData, intervalSeconds: number): { ticks: Tick[]; pitch: number } {
  const group = Math.max(1, Math.ceil(intervalSeconds / chart.bucketSeconds));
  const ticks: Tick[] = [];
  for (let start = 0; start < chart.points.length; start += group) {
    ticks.push(worst(chart.points.slice(start, start + group).map(({ status }) => status)));
  }
  const span = Date.parse(chart.to) - Date.parse(chart.from);
  return { ticks, pitch: (WIDTH * group * chart.bucketSeconds * 1000) / span };
}
