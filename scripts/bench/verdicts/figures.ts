import { DAY_MS } from '@/server/time/schema';
import type { Alert, Replayed } from './replay';
import { type Interval, MINUTE, type Trace } from './traces';

/** What a rule made of a trace, or of several of one family. */
export interface Figures {
  monitorYears: number;
  outages: number;
  /** Alerts of what was no outage. */
  falseAlarms: number;
  /** Outages of two intervals or longer that nobody was alerted to. */
  missed: number;
  /** Further alerts of an outage that was alerted already. */
  doubled: number;
  /** Alerts of a monitor that is slow. */
  degraded: number;
  messages: number;
  /** Milliseconds from an outage's start to its alert, and from its end to the recovery. */
  toAlert: number[];
  toResolve: number[];
  /** How far the downtime said is from the true one. */
  uptimeErrorMs: number;
}

const YEAR = 365 * DAY_MS;

/** A check that began in an outage tells of it, and so does one whose first failure did: confirmations come later. */
const LATE_MS = 5 * MINUTE;

const outageAt = (outages: Interval[], at: number) =>
  outages.findIndex(({ from, to }) => from <= at && at < to + LATE_MS);

/** Holds the alerts of one replay against the outages of its trace. */
export function figuresOf(trace: Trace, { alerts, downMs }: Replayed, intervalSeconds: number): Figures {
  const outages = trace.outages.toSorted((a, b) => a.from - b.from);
  const told = outages.map(() => false);
  const figures: Figures = {
    ...{ monitorYears: trace.ms / YEAR, outages: outages.length, falseAlarms: 0, missed: 0, doubled: 0, degraded: 0 },
    ...{ messages: alerts.length, toAlert: [], toResolve: [], uptimeErrorMs: 0 },
  };
  let open: Alert | null = null;
  const cover = (alert: Alert, until: number) => {
    for (const [index, { from, to }] of outages.entries()) {
      if (from > until) break;
      if (to > alert.at) told[index] = true;
    }
  };
  for (const alert of alerts) {
    if (alert.kind === 'degraded') figures.degraded += 1;
    if (alert.kind === 'down') {
      open = alert;
      const index = outageAt(outages, alert.checkedAt);
      const outage = outages[index];
      if (!outage) figures.falseAlarms += 1;
      else if (told[index]) figures.doubled += 1;
      else figures.toAlert.push(alert.at - outage.from);
      told[index] = true;
    }
    if (alert.kind === 'up' && open) {
      cover(open, alert.at);
      const ended = outages.findLast(({ from, to }) => from < alert.checkedAt && to <= alert.checkedAt);
      if (ended && open.at < ended.to) figures.toResolve.push(alert.at - ended.to);
      open = null;
    }
  }
  if (open) cover(open, trace.ms);
  const seeable = 2 * intervalSeconds * 1_000;
  figures.missed = outages.filter(
    ({ from, to }, index) => !told[index] && to - from >= seeable && to < trace.ms,
  ).length;
  const trueDown = outages.reduce((sum, { from, to }) => sum + Math.min(to, trace.ms) - Math.min(from, trace.ms), 0);
  figures.uptimeErrorMs = Math.abs(downMs - trueDown);
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
    degraded: a.degraded + b.degraded,
    messages: a.messages + b.messages,
    toAlert: [...a.toAlert, ...b.toAlert],
    toResolve: [...a.toResolve, ...b.toResolve],
    uptimeErrorMs: a.uptimeErrorMs + b.uptimeErrorMs,
  };
}
