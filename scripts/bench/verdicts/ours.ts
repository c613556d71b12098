// Our rules, through the functions that the worker decides with.
import { nextDue, phaseMs } from '@/server/checks/schedule/due';
import { blame, type CanaryState, Recent } from '@/server/checks/verdict/canary';
import { decideRegions } from '@/server/checks/verdict/decide-regions';
import type { Vote } from '@/server/checks/verdict/majority';
import { type Policy, type Seen, transition, type WatchState } from '@/server/checks/verdict/transition';
import { toWatch } from '@/server/history/watch';
import { HttpConfig } from '@/server/monitors/schema';
import { Account, atOf, dateAt, fresh } from './account';
import { replayCertificates } from './our-certificates';
import { replayJob } from './our-heartbeats';
import { awake, type Replay, type Replayed, type Rule } from './replay';
import { Quiet, type Reader, SECOND, type Sight, type Trace } from './traces';
import { Turns } from './turns';

/** How long after a failure the canary is asked. */
const CANARY_TOOK_MS = 50;
const CALIBRATE_EVERY_MS = 60 * SECOND;

function policyOf(intervalSeconds: number, monitorNum: number): Policy {
  const config = HttpConfig.parse({ url: 'https://example.com/' });
  const row = { intervalSeconds, config, watchChangedAt: null, formerWatchMs: null };
  const { degraded, ...confirm } = config.confirm;
  return { monitorNum, intervalSeconds, ...toWatch(row), ...confirm, degraded };
}

/** The egress check over the time of a trace. `run/egress.ts` goes by timers and sockets; the rules are the same functions. */
class OwnNetwork {
  private readonly recent = new Recent();
  private state: CanaryState = { workedAt: 0, lostSince: null };

  constructor(private readonly trace: Trace) {}

  private isGone(at: number): boolean {
    return this.trace.ownNetwork.some(({ from, to }) => from <= at && at < to);
  }

  /** Whether a failure is the worker's own. */
  isOwn(monitor: string, isFailing: boolean, wasDown: boolean, at: number): boolean {
    // The canary is asked now and then while all is well; only its last answer counts.
    const asked = Math.floor(at / CALIBRATE_EVERY_MS) * CALIBRATE_EVERY_MS;
    if (!this.isGone(asked))
      this.state = { workedAt: Math.max(this.state.workedAt ?? 0, asked), lostSince: this.state.lostSince };
    if (this.state.lostSince !== null && !this.isGone(at)) this.state = { workedAt: at, lostSince: null };
    if (wasDown) return false;
    this.recent.add(monitor, isFailing, at);
    if (!isFailing || !this.recent.isSuspicious(this.state.lostSince === null ? undefined : 1)) return false;
    const isAnswering = !this.isGone(at + CANARY_TOOK_MS);
    if (isAnswering) {
      this.state = { workedAt: at, lostSince: null };
      return false;
    }
    const isOwn = blame(this.state, false, at) === 'we';
    if (isOwn) this.state = { ...this.state, lostSince: this.state.lostSince ?? at };
    return isOwn;
  }
}

function seenOf(sight: Sight, isOwn: boolean, at: number): Seen {
  const { isFailing, isSlow, isNearlySlow } = sight;
  if (isOwn) return { status: 'unknown', error: 'The network of this worker is down', at: dateAt(at) };
  const status = isFailing ? 'down' : isSlow ? 'degraded' : 'up';
  return { status, error: status === 'up' ? null : 'The check failed', isNearlySlow, at: dateAt(at) };
}

interface Turn {
  at: number;
  monitor: number;
  place: number;
}

/** Nothing is counted, told or awaited: another check that goes well only moves the time of the last one. */
const isSettled = ({ status, failures, recoveries, latencyStreak, openIncident, steadySince }: WatchState) =>
  status === 'up' && failures + recoveries + latencyStreak === 0 && openIncident === null && steadySince === null;

/** The state and the next check of a monitor as they are after a quiet time, which is passed over. */
function pass(quiet: Quiet, state: WatchState, due: number, monitor: number, intervalSeconds: number) {
  const until = isSettled(state) ? quiet.until(due) : due;
  if (until - due <= intervalSeconds * SECOND) return { state, at: due };
  const at = atOf(nextDue(monitor, intervalSeconds, dateAt(until)));
  return { state: { ...state, lastCheckedAt: dateAt(at - intervalSeconds * SECOND) }, at };
}

function replayOnePlace(trace: Trace, reader: Reader, intervalSeconds: number): Replayed {
  const account = new Account();
  const network = new OwnNetwork(trace);
  const numbers = Array.from({ length: trace.monitors }, (_, index) => index + 1);
  const states = new Map(numbers.map((monitor) => [monitor, fresh()]));
  const policies = new Map(numbers.map((monitor) => [monitor, policyOf(intervalSeconds, monitor)]));
  const quiet = new Quiet(trace);
  const turns = new Turns<Turn>();
  for (const monitor of numbers) turns.add({ at: phaseMs(monitor, intervalSeconds), monitor, place: 0 });
  for (let turn = turns.takeNext(); turn && turn.at < trace.ms; turn = turns.takeNext()) {
    const { monitor } = turn;
    const state = states.get(monitor);
    const policy = policies.get(monitor);
    if (!state || !policy) break;
    const checkedAt = awake(trace, turn.at);
    const sight = reader.see(checkedAt, 0, monitor === 1);
    const endedAt = checkedAt + sight.tookMs;
    const isOwn = network.isOwn(String(monitor), sight.isFailing, state.status === 'down', endedAt);
    const change = transition(state, seenOf(sight, isOwn, checkedAt), policy, dateAt(endedAt));
    const next = pass(quiet, change.state, atOf(change.dueAt), monitor, intervalSeconds);
    states.set(monitor, next.state);
    if (monitor === 1) account.take(change.incidents, change.spans, checkedAt, endedAt);
    turns.add({ at: next.at, monitor, place: 0 });
  }
  return account.end(trace.ms);
}

function replayPlaces(trace: Trace, reader: Reader, intervalSeconds: number, places: number): Replayed {
  const account = new Account();
  const policy = policyOf(intervalSeconds, 1);
  let own = fresh();
  const regions = Array.from({ length: places }, fresh);
  const votes: Vote[] = regions.map((state, place) => {
    const dueAt = dateAt(phaseMs(1, intervalSeconds));
    return {
      region: `place ${place}`,
      status: state.status,
      statusSince: state.statusSince,
      lastCheckedAt: null,
      lastError: null,
      dueAt,
    };
  });
  const quiet = new Quiet(trace);
  const turns = new Turns<Turn>();
  for (const place of regions.keys()) turns.add({ at: phaseMs(1, intervalSeconds), monitor: 1, place });
  for (let turn = turns.takeNext(); turn && turn.at < trace.ms; turn = turns.takeNext()) {
    const { place } = turn;
    const before = regions[place] ?? fresh();
    const checkedAt = awake(trace, turn.at);
    const sight = reader.see(checkedAt, place);
    const endedAt = checkedAt + sight.tookMs;
    const seen = seenOf(sight, false, checkedAt);
    const { state: after, dueAt } = transition(before, seen, policy, dateAt(endedAt));
    const areSettled = isSettled(own) && regions.every(isSettled);
    const { state, at } = areSettled
      ? pass(quiet, after, atOf(dueAt), 1, intervalSeconds)
      : { state: after, at: atOf(dueAt) };
    regions[place] = { ...state, changes: [], steadySince: null };
    const { status, statusSince, lastCheckedAt } = state;
    votes[place] = {
      region: `place ${place}`,
      status,
      statusSince,
      lastCheckedAt,
      lastError: seen.error,
      dueAt: dateAt(at),
    };
    const moment = { at: dateAt(checkedAt), now: dateAt(endedAt), isTurn: status !== before.status };
    const { change } = decideRegions(own, votes, policy, moment);
    own = change.state;
    account.take(change.incidents, change.spans, checkedAt, endedAt);
    turns.add({ at, monitor: 1, place });
  }
  return account.end(trace.ms);
}

const onePlace = { replay: replayOnePlace, replayCertificates };
const threePlaces = {
  places: 3,
  replay: ((trace, reader, seconds) => replayPlaces(trace, reader, seconds, 3)) satisfies Replay,
};

export const ours: Rule[] = [
  { name: 'Upwatch, 1 place', ...onePlace, replayJob },
  { name: 'Upwatch, 3 places', ...threePlaces },
  { name: 'Upwatch, 1 place, 20 s', intervalSeconds: 20, ...onePlace },
  { name: 'Upwatch, 3 places, 20 s', intervalSeconds: 20, ...threePlaces },
];
