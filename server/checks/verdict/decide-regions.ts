import { isDisputed, majority, nextSilence, silence, type Vote } from './majority';
import { gapStart, isBelievedDown, isSettled, transition } from './transition';
import type { Policy, Transition, WatchState } from './types';

/** No further confirmation, because every region has confirmed its own verdict. */
const AT_ONCE = { failures: 1, recoveries: 1, retryDelayMs: 0 };

type Change = Omit<Transition, 'dueAt'> & { dueAt: Date | null };

export interface RegionsDecision {
  change: Change;
  /** The cause for the monitor's page; undefined if it does not change. */
  error: string | null | undefined;
}

/** A region that checked within this time, is about to, or is already confirming is not asked to check. */
const CHECKED_LATELY_MS = 5_000;
const ABOUT_TO_CHECK_MS = 2_000;

/** The parts of a region's row that show whether recent checks contradict its status. */
type Row = Pick<WatchState, 'status' | 'failures' | 'recoveries' | 'turnedAt'>;

/**
 * Returns the regions to check at once because another region's check contradicts the monitor's status. Pure.
 * @param before the row of the region that checked, before its check, and `after` it
 */
export function regionsToAsk(
  state: WatchState,
  { before, after }: { before: Row; after: Row },
  others: Vote[],
  now: Date,
): string[] {
  const isDown = isBelievedDown(state);
  const isOther = (row: Row) => (row.status === 'down') !== isDown;
  const isTurn = isOther(after) && !isOther(before);
  const isFirst = !isOther(after) && isSettled(before) && !isSettled(after);
  if (!isTurn && !isFirst) return [];
  const isDue = ({ dueAt, lastCheckedAt, status, turnedAt }: Vote) =>
    (status === 'down') === isDown &&
    turnedAt === null &&
    dueAt !== null &&
    dueAt.getTime() > now.getTime() + ABOUT_TO_CHECK_MS &&
    (lastCheckedAt === null || lastCheckedAt.getTime() < now.getTime() - CHECKED_LATELY_MS);
  return others.filter(isDue).map(({ region }) => region);
}

const latest = (...times: (Date | null)[]) => {
  const known = times.filter((time) => time !== null).map((time) => time.getTime());
  return known.length > 0 ? new Date(Math.max(...known)) : null;
};

/** The check of a region, or the silence of one that was noticed. */
interface RegionMoment {
  /** When the check began, or when the silence was noticed. */
  at: Date;
  now: Date;
  /** Whether this check changed its region's vote, and whether it is a failing check. */
  isTurn: boolean;
  isFailing: boolean;
  /** If it is a failing check that ends a recovery which its region was counting: since when the region's checks had passed. */
  upSince: Date | null;
}

/** Returns the start of a time without any checks if this check ends it and the monitor has an open incident; null otherwise. */
function endedSilence(state: WatchState, all: Vote[], policy: Policy, at: Date): Date | null {
  const start = state.openIncident && gapStart(state, { at }, policy);
  return start && all.some(({ lastCheckedAt }) => lastCheckedAt && lastCheckedAt > start) ? start : null;
}

/**
 * Decides a monitor's status by the votes of its regions. Pure. A change caused by a vote is dated from when enough regions had changed their
 * votes; a change because a region fell silent or was removed is dated `at`.
 */
export function decideRegions(
  state: WatchState,
  all: Vote[],
  policy: Policy,
  { at, now, isTurn, isFailing, upSince }: RegionMoment,
): RegionsDecision {
  const lastCheckedAt = latest(state.lastCheckedAt, ...all.map((vote) => vote.lastCheckedAt));
  const silentSince = endedSilence(state, all, policy, at);
  const present = silentSince ? { ...state, status: 'unknown' as const, statusSince: silentSince } : state;
  const dueAt = nextSilence(present, all, policy, now);
  const outcome = majority(present, all, policy, now) ?? (silentSince && silence(silentSince));
  if (!outcome) {
    return { change: { state: { ...state, lastCheckedAt }, dueAt, spans: [], incidents: [] }, error: undefined };
  }
  const { since, ...verdict } = outcome;
  // The check may have begun before the silence of its region was noticed.
  const seenAt = latest(state.lastCheckedAt, state.statusSince, verdict.status === 'unknown' ? since : at) ?? at;
  const turnedAt = isTurn ? latest(since, state.statusSince) : seenAt;
  const isDown = verdict.status === 'down';
  const counted = {
    failures: isDown ? 1 : 0,
    recoveries: isDown ? 0 : 1,
    turnedAt: isDown === isBelievedDown(state) ? null : turnedAt,
    latencyStreak: 1,
    latencyTurnedAt: turnedAt,
  };
  const atOnce = { ...policy, ...AT_ONCE, degraded: policy.degraded && 1 };
  const seen = { ...verdict, at: seenAt, isDisputed: isDisputed(verdict, all, policy, now), isFailing, upSince };
  const change = transition({ ...state, ...counted }, seen, atOnce, now);
  return { change: { ...change, dueAt, state: { ...change.state, lastCheckedAt } }, error: verdict.error };
}
