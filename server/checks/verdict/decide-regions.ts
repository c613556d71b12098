import { majority, nextSilence, type Vote } from './majority';
import { type Policy, type Transition, transition, type WatchState } from './transition';

/** Every region has confirmed its own verdict: what most of them say counts at once. */
const AT_ONCE = { failures: 1, recoveries: 1, retryDelayMs: 0 };

type Change = Omit<Transition, 'dueAt'> & { dueAt: Date | null };

export interface RegionsDecision {
  change: Change;
  /** Why it is not up, for the monitor's page; undefined where that stays as it is. */
  error: string | null | undefined;
}

const latest = (...times: (Date | null)[]) => {
  const known = times.filter((time) => time !== null).map((time) => time.getTime());
  return known.length > 0 ? new Date(Math.max(...known)) : null;
};

/**
 * What a monitor's status becomes by what its regions say. Pure. Where a region's turn makes it change, that is dated
 * from when enough of them had turned; where a region fell silent, or is none of the monitor's any more, from `at`.
 *
 * @param at when the check began that is taken now, or when the silence of a region was noticed
 * @param isTurn whether this check changed what its region says
 */
export function decideRegions(
  state: WatchState,
  all: Vote[],
  policy: Policy,
  { at, now, isTurn }: { at: Date; now: Date; isTurn: boolean },
): RegionsDecision {
  const lastCheckedAt = latest(state.lastCheckedAt, ...all.map((vote) => vote.lastCheckedAt));
  const dueAt = nextSilence(all, policy, now);
  const outcome = majority(state, all, policy, now);
  if (!outcome) {
    return { change: { state: { ...state, lastCheckedAt }, dueAt, spans: [], incidents: [] }, error: undefined };
  }
  const { since, ...verdict } = outcome;
  const seenAt = latest(state.lastCheckedAt, verdict.status === 'unknown' ? since : at) ?? at;
  const turnedAt = isTurn ? latest(since, state.statusSince) : seenAt;
  const counted = { failures: 1, recoveries: 1, turnedAt, latencyStreak: 1, latencyTurnedAt: turnedAt };
  const atOnce = { ...policy, ...AT_ONCE, degraded: policy.degraded && 1 };
  const change = transition({ ...state, ...counted }, { ...verdict, at: seenAt }, atOnce, now);
  return { change: { ...change, dueAt, state: { ...change.state, lastCheckedAt } }, error: verdict.error };
}
