import type { Watch } from '@/server/history/watched-until';
import type { Verdict } from '@/server/monitor-types/probing/observation';
import type { MonitorStatus } from '@/server/monitor-types/schema';
import type { Phase } from '@/server/time/phase';

/** Incidents about a monitor's status. A monitor has at most one of them open. */
export type StatusIncident = 'downtime' | 'degraded';

/** What the next verdict depends on. All of it is stored, so that it does not matter which process decides. */
export interface WatchState {
  status: MonitorStatus;
  statusSince: Date;
  /**
   * Checks that contradict `status`, and since when. `failures` of a monitor that is not down: each failing check adds 2, each
   * passing one takes off 1. `recoveries` of one that is down: passing checks in a row, from below 0 on after a row that ended too
   * soon, so that the next row must be longer. `turnedAt` is null while nothing is counted.
   */
  failures: number;
  recoveries: number;
  turnedAt: Date | null;
  /** Slow checks in a row while not degraded, clearly fast ones while degraded, and when the row began. */
  latencyStreak: number;
  latencyTurnedAt: Date | null;
  /** The open incident. */
  openIncident: StatusIncident | null;
  /** When the monitor went down or came up again lately; empty while it flaps. */
  changes: Date[];
  /** While the monitor flaps: since when it has not changed. Null: it does not flap. */
  steadySince: Date | null;
  lastCheckedAt: Date | null;
}

export interface Policy extends Watch, Phase {
  /**
   * Failing checks until down, of which a passing one in between takes back half of one; passing ones in a row until up
   * again; and the time from the start of one check to the next while they are counted.
   */
  failures: number;
  recoveries: number;
  retryDelayMs: number;
  /** Slow checks in a row until degraded, and clearly fast ones until not. Null: degraded counts at once and opens nothing. */
  degraded: number | null;
}

/** A verdict and when its check began. */
export interface Seen extends Verdict {
  at: Date;
}

export interface SpanStart {
  status: MonitorStatus;
  startedAt: Date;
}

/** What maintenance held back has the time at which it takes effect: its timeline names the window. */
interface Holdable {
  toldAt?: Date;
}

export type IncidentChange =
  | ({ kind: 'open'; type: StatusIncident; startedAt: Date; cause: string } & Holdable)
  /** The open one ends; `message` is the last line of its timeline. */
  | ({ kind: 'resolve'; resolvedAt: Date; message: string } & Holdable)
  /** The open one ends because another opens in its place: people are notified of that one only. */
  | ({ kind: 'supersede'; resolvedAt: Date; message: string } & Holdable)
  /** The first check in maintenance of a monitor with an open one, whose end is held from then on. */
  | { kind: 'hold'; at: Date }
  /** A line in the timeline of the open one, sent to no channel. */
  | { kind: 'note'; at: Date; message: string };

export interface Transition {
  state: WatchState;
  dueAt: Date;
  /** What the monitor's spans are from the first one's start on, each ending where the next starts; empty: as before. */
  spans: SpanStart[];
  /** In the order in which they happen: what was open ends before another opens. */
  incidents: IncidentChange[];
}
