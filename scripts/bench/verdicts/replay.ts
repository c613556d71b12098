import type { Interval, Job, Reader, Trace } from './traces';

/** An alert or recovery that a rule would have sent for the followed monitor. */
export interface Alert {
  kind: 'down' | 'up' | 'degraded' | 'degraded over';
  /** When it was decided, and when the deciding check began; milliseconds since the start of the trace. */
  at: number;
  checkedAt: number;
}

export interface Replayed {
  alerts: Alert[];
  /** When the monitor was down, and when its status was unknown, according to the rule; in the order of time. */
  down: Interval[];
  unknown: Interval[];
}

export type Replay = (trace: Trace, reader: Reader, intervalSeconds: number) => Replayed;

/** A rule to replay. */
export interface Rule {
  name: string;
  /** Defaults to the interval of the run. */
  intervalSeconds?: number;
  /** How to replay checks, the pings of a job, and certificates; undefined if the rule does not cover them. */
  replay?: Replay;
  replayJob?(trace: Trace, job: Job): Replayed;
  replayCertificates?: Replay;
}

/** Replays a trace of any kind; null if the rule does not cover it. */
export function replay(rule: Rule, trace: Trace, reader: Reader, intervalSeconds: number): Replayed | null {
  if (trace.job) return rule.replayJob?.(trace, trace.job) ?? null;
  const replayed = trace.oldCertificates === null ? rule.replay : rule.replayCertificates;
  return replayed?.(trace, reader, rule.intervalSeconds ?? intervalSeconds) ?? null;
}

/** Returns when a due check runs: after the machine's sleep, if it sleeps. */
export function awake({ asleep }: Trace, at: number): number {
  return asleep.find(({ from, to }) => from <= at && at < to)?.to ?? at;
}
