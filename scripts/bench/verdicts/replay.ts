import type { Reader, Trace } from './traces';

/** What a rule would have sent about the monitor that is followed. */
export interface Alert {
  kind: 'down' | 'up' | 'degraded' | 'degraded over';
  /** When it was decided, and when the check began that decided it; milliseconds since the start of the trace. */
  at: number;
  checkedAt: number;
}

export interface Replayed {
  alerts: Alert[];
  /** How long the rule says that the monitor was down. */
  downMs: number;
}

/** A way of deciding, over the checks it asks for. */
export interface Rule {
  name: string;
  replay(trace: Trace, reader: Reader, intervalSeconds: number): Replayed;
}

/** When a check that is due is made: not while everything sleeps. */
export function awake({ asleep }: Trace, at: number): number {
  return asleep.find(({ from, to }) => from <= at && at < to)?.to ?? at;
}
