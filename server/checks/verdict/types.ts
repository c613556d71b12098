import type { Watch } from '@/server/history/watched-until';
import type { Verdict } from '@/server/monitor-types/probing/observation';
import type { MonitorStatus } from '@/server/monitor-types/schema';
import type { Phase } from '@/server/time/phase';

/** Incidents about a monitor's status. A monitor has at most one open incident of these. */
export type StatusIncident = 'downtime' | 'degraded';

/** The state that the next verdict depends on. All of it is stored, so that any process can decide. */
export interface WatchState {
  status: MonitorStatus;
  statusSince: Date;
  /**
   * The score of checks that contradict `status`. `failures` of a monitor that is not down: a failing check adds 3, a passing one subtracts 2.
   * `recoveries` of a monitor that is down: a passing check adds 2. Below 0 after a recovery that ended too early; then a failing check subtracts 3.
   * `turnedAt` is the start of the streak; null without one. A streak of failing checks may outlast score 0 by one check.
   */
  failures: number;
  recoveries: number;
  turnedAt: Date | null;
  /** Consecutive slow checks while not degraded, or clearly fast ones while degraded, and when the streak began. */
  latencyStreak: number;
  latencyTurnedAt: Date | null;
  /** The type of the open incident, or null. */
  openIncident: StatusIncident | null;
  /** The times of recent changes to or from down. While the monitor flaps: none if it is down as notified, one if it is up, two if it is down again. */
  changes: Date[];
  /**
   * While the monitor flaps: since when its status has not changed and, if it is up, no check has failed, moved by the unknown time since then. Null
   * if it does not flap.
   */
  steadySince: Date | null;
  lastCheckedAt: Date | null;
  /** When the bucket of short failures is empty (`noise.ts`); null if there were none. */
  noiseUntil: Date | null;
}

export interface Policy extends Watch, Phase {
  /**
   * The number of failing checks until down (a passing one takes back two thirds of one), of consecutive passing ones until up, and the interval of
   * checks while they are counted.
   */
  failures: number;
  recoveries: number;
  retryDelayMs: number;
  /** Whether failing checks of a noisy monitor are confirmed for longer, and one that waits long for its target counts as two. */
  isAdaptive: boolean;
  /** The number of slow checks until degraded, and of clearly fast ones until not. Null: degraded counts at once and opens no incident. */
  degraded: number | null;
  /** The number of changes between down and not down within the window that counts as flapping. */
  flapChanges: number;
  /** Whether a downtime soon after another one is flapping too, and checks are more frequent while the monitor flaps. Not for pings. */
  countsRelapses: boolean;
  /** Set while the monitor flaps: the interval of its checks. */
  everyMs?: number;
}

/** A verdict and when its check began. */
export interface Seen extends Verdict {
  at: Date;
  /** How long the check took, in milliseconds; unset if that says nothing about the target. */
  tookMs?: number;
  /** Set for a verdict of regions: whether one of them counts checks that contradict it, and whether the check itself failed. */
  isDisputed?: boolean;
  isFailing?: boolean;
  /** Set if the failing check of a region ends a recovery that the region was counting: since when its checks had passed. */
  upSince?: Date | null;
}

export interface SpanStart {
  status: MonitorStatus;
  startedAt: Date;
}

/** Set for a change that maintenance held: when it takes effect. The timeline then names the window. */
interface Holdable {
  effectiveAt?: Date;
}

export type IncidentChange =
  | ({ kind: 'open'; type: StatusIncident; startedAt: Date; cause: string } & Holdable)
  /** Resolves the open incident; `message` is the last line of its timeline. */
  | ({ kind: 'resolve'; resolvedAt: Date; message: string } & Holdable)
  /** Resolves the open incident because another opens in its place; people are only notified of the new one. */
  | ({ kind: 'supersede'; resolvedAt: Date; message: string } & Holdable)
  /** The first check in maintenance of a monitor with an open incident, whose resolution is held from then on. */
  | { kind: 'hold'; at: Date }
  /** Adds a line to the timeline of the open incident, which has at most one with the key; sent to no channel. */
  | { kind: 'note'; at: Date; message: string; dedupeKey: string };

export interface Transition {
  state: WatchState;
  dueAt: Date;
  /** The monitor's new spans from the start of the first one, each ending where the next starts; empty if nothing changes. */
  spans: SpanStart[];
  /** In chronological order: resolves before it opens another. */
  incidents: IncidentChange[];
}
