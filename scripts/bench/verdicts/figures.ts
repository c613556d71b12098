import { DAY_MS } from '@/server/time/schema';
import type { Alert, Replayed } from './replay';
import { downOf, type Interval, MINUTE, SECOND, type Trace, within } from './traces';

/** The result of a rule for a trace, or for several traces of one family. */
export interface Figures {
  monitorYears: number;
  outages: number;
  /** Alerts without an outage. */
  falseAlarms: number;
  /** Outages without an alert, although they were visible for at least two intervals. */
  missed: number;
  /** Further alerts for an outage that already had one. */
  doubled: number;
  /** Alerts for slowness that did not last. */
  falseDegraded: number;
  messages: number;
  /** Recoveries that were sent while the target was down. */
  falseRecoveries: number;
  /** Milliseconds from the start of an outage to its alert, and from its end to the recovery, including flapping. */
  toAlert: number[];
  toResolve: number[];
  /** The time that was recorded as down while the target was up, or as up while it was down. Time recorded as unknown does not count. */
  uptimeErrorMs: number;
}

const YEAR = 365 * DAY_MS;

/** An alert is assigned to an outage that ended less than this before, because confirmations come later. */
const lateMs = (intervalSeconds: number) => Math.max(5 * MINUTE, 3 * intervalSeconds * SECOND);

/** Returns the time in which exactly one of two is true and nothing is unknown. */
function differenceMs(said: Interval[], truth: Interval[], unknown: Interval[], ms: number): number {
  const edges = [said, truth, unknown].flatMap((intervals, which) =>
    intervals.flatMap(({ from, to }) => [
      { at: Math.min(from, ms), which, step: 1 },
      { at: Math.min(to, ms), which, step: -1 },
    ]),
  );
  const depth = [0, 0, 0];
  let [last, sum] = [0, 0];
  for (const { at, which, step } of edges.sort((a, b) => a.at - b.at)) {
    const [isSaid, isTrue, isUnknown] = depth.map((count) => count > 0);
    if (isSaid !== isTrue && !isUnknown) sum += at - last;
    last = at;
    depth[which] = (depth[which] ?? 0) + step;
  }
  return sum;
}

const isWithin = (intervals: Interval[], at: number, late: number) =>
  intervals.some(({ from, to }) => within({ from, to: to + late }, at));

/** Compares the alerts of a replay with the outages of its trace. */
export function figuresOf(trace: Trace, { alerts, down: said, unknown }: Replayed, intervalSeconds: number): Figures {
  const down = downOf(trace);
  const late = lateMs(intervalSeconds);
  const outages = trace.outages.toSorted((a, b) => a.from - b.from);
  const isAlerted = outages.map(() => false);
  const figures: Figures = {
    monitorYears: trace.ms / YEAR,
    outages: outages.length,
    falseAlarms: 0,
    missed: 0,
    doubled: 0,
    falseDegraded: 0,
    messages: alerts.length,
    falseRecoveries: 0,
    toAlert: [],
    toResolve: [],
    uptimeErrorMs: 0,
  };
  let open: Alert | null = null;
  const cover = (alert: Alert, until: number) => {
    for (const [index, { from, to }] of outages.entries()) {
      if (from > until) break;
      if (to > alert.at) isAlerted[index] = true;
    }
  };
  for (const alert of alerts) {
    if (alert.kind === 'degraded' && !isWithin(trace.slow, alert.checkedAt, late)) figures.falseDegraded += 1;
    if (alert.kind === 'down') {
      open = alert;
      const index = outages.findLastIndex(({ from, to }) => within({ from, to: to + late }, alert.checkedAt));
      const outage = outages[index];
      if (!outage) figures.falseAlarms += 1;
      else if (isAlerted[index]) figures.doubled += 1;
      else figures.toAlert.push(alert.at - outage.from);
      isAlerted[index] = true;
    }
    if (alert.kind === 'up' && open) {
      cover(open, alert.at);
      const ended = outages.findLast(({ from, to }) => from < alert.checkedAt && to <= alert.checkedAt);
      const isStillDown = down.some(({ from, to }) => within({ from: from + SECOND, to }, alert.checkedAt));
      if (isStillDown) figures.falseRecoveries += 1;
      if (ended && open.at < ended.to) figures.toResolve.push(alert.at - ended.to);
      open = null;
    }
  }
  if (open) cover(open, trace.ms);
  const seeable = 2 * intervalSeconds * 1_000;
  // Without the worker's own network, no outage is visible.
  const seenMs = ({ from, to }: Interval) =>
    trace.ownNetwork.reduce(
      (ms, gone) => ms - Math.max(0, Math.min(to, gone.to) - Math.max(from, gone.from)),
      to - from,
    );
  figures.missed = outages.filter(
    (outage, index) => !isAlerted[index] && seenMs(outage) >= seeable && outage.to < trace.ms,
  ).length;
  figures.uptimeErrorMs = differenceMs(said, down, unknown, trace.ms);
  return figures;
}

/** Figures of several traces of one family. */
export function add(a: Figures, b: Figures): Figures {
  return {
    monitorYears: a.monitorYears + b.monitorYears,
    outages: a.outages + b.outages,
    falseAlarms: a.falseAlarms + b.falseAlarms,
    missed: a.missed + b.missed,
    doubled: a.doubled + b.doubled,
    falseDegraded: a.falseDegraded + b.falseDegraded,
    messages: a.messages + b.messages,
    falseRecoveries: a.falseRecoveries + b.falseRecoveries,
    toAlert: [...a.toAlert, ...b.toAlert],
    toResolve: [...a.toResolve, ...b.toResolve],
    uptimeErrorMs: a.uptimeErrorMs + b.uptimeErrorMs,
  };
}
