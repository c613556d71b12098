/** What a worker knows of its own network. All times in milliseconds by one steady clock. */
export interface EgressState {
  /** When an egress check target answered last; null if none has since the start. */
  workedAt: number | null;
  /** Since when the worker's own network is down; null while it is not. */
  lostSince: number | null;
  /** Until when a failing egress check is believed although none has succeeded: after a start the network may be late. */
  graceUntil: number;
  /** Targets of monitors that answered in a row while the network was thought to be down. */
  answers: number;
}

/** The same as ages in milliseconds, for processes with another clock. */
export interface EgressAges {
  workedMsAgo: number | null;
  lostMsAgo: number | null;
}

/** How many of the monitors checked last are looked at, and for how long one counts, in milliseconds. */
const MOST_RECENT = 20;
const RECENT_FOR_MS = 5_000;
/** An egress check that did not succeed for longer than this, before anything failed, proves nothing by failing. */
const CALIBRATED_FOR_MS = 180_000;
/** How long a worker that starts, or wakes, may be without a network, in milliseconds. */
const START_GRACE_MS = 180_000;
/** So many targets answer in a row, and the egress check targets are down, not our network. */
const ANSWERS_AGAINST_LOSS = 3;

/** The monitors a worker checked last, by their latest check. */
export class Recent {
  private readonly kept = new Map<string, { at: number; isFailing: boolean }>();
  private failing = 0;

  /** Takes a check. One that fails of a monitor that was down before says nothing about our network and is left out. */
  add(monitorId: string, isFailing: boolean, at: number): void {
    this.drop(monitorId);
    this.kept.set(monitorId, { at, isFailing });
    if (isFailing) this.failing += 1;
    for (const [id, check] of this.kept) {
      if (this.kept.size <= MOST_RECENT && at - check.at <= RECENT_FOR_MS) break;
      this.drop(id);
    }
  }

  /** Whether more of them pass than fail: our network works. */
  isMostlyPassing(now: number): boolean {
    this.forget(now);
    return this.failing * 2 < this.kept.size;
  }

  /** Whether any fails, and no fewer than pass. */
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

/** The state of a worker that starts. */
export function initialEgress(now: number, graceMs = START_GRACE_MS): EgressState {
  return { workedAt: null, lostSince: null, graceUntil: now + graceMs, answers: 0 };
}

/** The state after a sleep: the network may not be back yet, and what it was before is as fresh as what monitors were. */
export function afterSleep(state: EgressState, now: number): EgressState {
  return { ...state, workedAt: state.workedAt === null ? null : now, graceUntil: now + START_GRACE_MS };
}

/**
 * Whose fault a failing check is, by an egress check made now. *Self* only if the egress check fails too and either
 * succeeded not long ago or the worker has just started: on a machine that never reaches its targets, no outage is suppressed.
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
 * The state after an egress check.
 * @param isAccused whether a check has failed for which our own network may be the cause
 */
export function afterEgressCheck(
  state: EgressState,
  { isAnswering, isAccused }: { isAnswering: boolean; isAccused: boolean },
  now: number,
): EgressState {
  if (isAnswering) return { ...state, workedAt: now, lostSince: null, answers: 0 };
  const isSelf = isAccused && blame(state, { isAnswering, isMostlyPassing: false }, now) === 'self';
  // What never answered can never say that the network is back.
  return isSelf && state.workedAt !== null ? { ...state, lostSince: state.lostSince ?? now } : state;
}

/** The state after a check of a monitor: egress check targets that stay silent while others answer are not believed. */
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
