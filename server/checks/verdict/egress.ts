/** What a worker knows of its own network. All times are milliseconds of one monotonic clock. */
export interface EgressState {
  /** When an egress check target last answered; null if none has since the start. */
  workedAt: number | null;
  /** Since when the worker's own network is down; null if it is not. */
  lostSince: number | null;
  /** Until when a failing egress check counts although none has succeeded yet, because the network may start later than the worker. */
  graceUntil: number;
  /** The number of consecutive monitors that answered while the network was considered down. */
  answers: number;
}

/** The times of `EgressState` as ages in milliseconds, for processes with another clock. */
export interface EgressAges {
  workedMsAgo: number | null;
  lostMsAgo: number | null;
}

/** The maximum number of recent monitors that count, and for how long each counts, in milliseconds. */
const MOST_RECENT = 20;
const RECENT_FOR_MS = 5_000;
/** If the last success of the egress check is longer ago, its failure proves nothing. */
const CALIBRATED_FOR_MS = 180_000;
/** How long a worker may be without a network after it starts or wakes, in milliseconds. */
const START_GRACE_MS = 180_000;
/** After this many consecutive answers of monitors, the egress check targets are considered down instead of our network. */
const ANSWERS_AGAINST_LOSS = 3;

/** The latest check of each monitor that a worker checked recently. */
export class Recent {
  private readonly kept = new Map<string, { at: number; isFailing: boolean }>();
  private failing = 0;

  /** Adds a check. The caller leaves out failures of monitors that were already down, because they say nothing about our network. */
  add(monitorId: string, isFailing: boolean, at: number): void {
    this.drop(monitorId);
    this.kept.set(monitorId, { at, isFailing });
    if (isFailing) this.failing += 1;
    for (const [id, check] of this.kept) {
      if (this.kept.size <= MOST_RECENT && at - check.at <= RECENT_FOR_MS) break;
      this.drop(id);
    }
  }

  /** Returns whether more monitors pass than fail, so that our network works. */
  isMostlyPassing(now: number): boolean {
    this.forget(now);
    return this.failing * 2 < this.kept.size;
  }

  /** Returns whether at least one monitor fails, and at least as many fail as pass. */
  isMostlyFailing(now: number): boolean {
    this.forget(now);
    return this.failing > 0 && this.failing * 2 >= this.kept.size;
  }

  private forget(now: number): void {
    for (const [id, { at }] of this.kept) {
      if (now - at <= RECENT_FOR_MS) return;
      this.drop(id);
    }
  }

  private drop(monitorId: string): void {
    if (this.kept.get(monitorId)?.isFailing) this.failing -= 1;
    this.kept.delete(monitorId);
  }
}

/** Returns the state of a starting worker. */
export function initialEgress(now: number, graceMs = START_GRACE_MS): EgressState {
  return { workedAt: null, lostSince: null, graceUntil: now + graceMs, answers: 0 };
}

/**
 * Returns the state after the machine slept. Starts the grace period again, because the network may not be back yet, and dates the last successful
 * egress check to now, so that it still counts.
 */
export function afterSleep(state: EgressState, now: number): EgressState {
  return { ...state, workedAt: state.workedAt === null ? null : now, graceUntil: now + START_GRACE_MS };
}

/**
 * Decides whether a failing check is caused by its target or by our own network, given an egress check made now. Returns "self" only if the egress
 * check fails too, and either succeeded recently or the worker has just started. So a machine that never reaches its egress check targets
 * suppresses no outage.
 */
export function blame(
  { workedAt, lostSince, graceUntil }: Omit<EgressState, 'answers'>,
  { isAnswering, isMostlyPassing }: { isAnswering: boolean; isMostlyPassing: boolean },
  now: number,
): 'target' | 'self' {
  if (isAnswering || isMostlyPassing) return 'target';
  if (workedAt === null) return now <= graceUntil ? 'self' : 'target';
  return lostSince !== null || now - workedAt <= CALIBRATED_FOR_MS ? 'self' : 'target';
}

/**
 * Returns the state after an egress check.
 * @param isAccused whether a check has failed that our own network may have caused
 */
export function afterEgressCheck(
  state: EgressState,
  { isAnswering, isAccused }: { isAnswering: boolean; isAccused: boolean },
  now: number,
): EgressState {
  if (isAnswering) return { ...state, workedAt: now, lostSince: null, answers: 0 };
  const isSelf = isAccused && blame(state, { isAnswering, isMostlyPassing: false }, now) === 'self';
  // Targets that never answered cannot show that the network is back, so no loss is recorded.
  return isSelf && state.workedAt !== null ? { ...state, lostSince: state.lostSince ?? now } : state;
}

/**
 * Returns the state after a check of a monitor. If enough monitors answer while the network counts as lost, it counts as working, and failing egress
 * checks are ignored until one succeeds.
 */
export function afterFinding(
  state: EgressState,
  { isFailing, isMostlyFailing }: { isFailing: boolean; isMostlyFailing: boolean },
  now: number,
): EgressState {
  if (state.lostSince === null) return state;
  const answers = isFailing || isMostlyFailing ? 0 : state.answers + 1;
  if (answers < ANSWERS_AGAINST_LOSS) return { ...state, answers };
  return { workedAt: null, lostSince: null, graceUntil: now, answers: 0 };
}
