import type { Interval, Job, Reader, Trace } from './traces';

/** What a rule would have sent about the monitor that is followed. */
export interface Alert {
  kind: 'down' | 'up' | 'degraded' | 'degraded over';
  /** When it was decided, and when the check began that decided it; milliseconds since the start of the trace. */
  at: number;
  checkedAt: number;
}

export interface Replayed {
  alerts: Alert[];
  /** When the rule says that the monitor was down, and that it cannot tell; in the order of time. */
  down: Interval[];
  unknown: Interval[];
}

export type Replay = (trace: Trace, reader: Reader, intervalSeconds: number) => Replayed;

/** A way to check with our rules. */
export interface Rule {
  name: string;
  /** Left out: the interval of the run. */
  intervalSeconds?: number;
  /** What it makes of checks, of a job's pings, and of certificates; left out where it does not apply. */
  replay?: Replay;
  replayJob?(trace: Trace, job: Job): Replayed;
  replayCertificates?: Replay;
}

/** Replays a trace of any kind; null where the rule has nothing to say of it. */
export function replay(rule: Rule, trace: Trace, reader: Reader, intervalSeconds: number): Replayed | null {
  if (trace.job) return rule.replayJob?.(trace, trace.job) ?? null;
  const replayed = trace.oldCertificates === null ? rule.replay : rule.replayCertificates;
  return replayed?.(trace, reader, rule.intervalSeconds ?? intervalSeconds) ?? null;
}

/** When a check that is due is made: not while everything sleeps. */
export function awake({ asleep }: Trace, at: number): number {
  return asleep.find(({ from, to }) => from <= at && at < to)?.to ?? at;
}
