// Our rules, through the functions that the worker decides with.

import { decideRegions, regionsToAsk } from '@/server/checks/verdict/decide-regions';
import {
  afterEgressCheck,
  afterFinding,
  afterSleep,
  blame,
  type EgressState,
  initialEgress,
  Recent,
} from '@/server/checks/verdict/egress';
import { FLAP_CHANGES, policyWhileFlapping } from '@/server/checks/verdict/flapping';
import type { Vote } from '@/server/checks/verdict/majority';
import { confirmedByOthers, policyIn } from '@/server/checks/verdict/regional-policy';
import { contradictedSince, transition } from '@/server/checks/verdict/transition';
import type { Policy, Seen, WatchState } from '@/server/checks/verdict/types';
import { toWatch } from '@/server/history/watch';
import { effectiveConfirm } from '@/server/monitor-types/config/confirm';
import { HttpConfig } from '@/server/monitor-types/schema';
import { phaseMs } from '@/server/time/phase';
import { Account, atOf, dateAt, fresh } from './account';
import { replayCertificates } from './our-certificates';
import { replayJob } from './our-heartbeats';
import { awake, type Replay, type Replayed, type Rule } from './replay';
import { Quiet, type Reader, SECOND, type Sight, type Trace } from './traces';
import { Turns } from './turns';

/** The time from a failure to the result of the egress check. */
const EGRESS_CHECK_MS = 50;
const CALIBRATE_EVERY_MS = 60 * SECOND;
/** The time from a recorded result, or a failing connection test, to the check that it requests. */
const ASKED_AFTER_MS = 500;

function policyOf(intervalSeconds: number, monitorNum: number): Policy {
  const config = HttpConfig.parse({ url: 'https://example.com/' });
  const row = { intervalSeconds, config, watchChangedAt: null, formerWatchMs: null };
  const confirm = effectiveConfirm(config.confirm);
  const flapping = { flapChanges: FLAP_CHANGES, countsRelapses: true };
  return { monitorNum, intervalSeconds, ...toWatch(row), ...confirm, isAdaptive: true, ...flapping };
}

/** The egress check during a trace. `run/egress.ts` adds timers and sockets; the rules are the same functions. */
class OwnNetwork {
  private readonly recent = new Recent();
  private state: EgressState = initialEgress(0);
  private askedAt = 0;
  private slept = 0;

  constructor(private readonly trace: Trace) {}

  private isAnswering(at: number): boolean {
    return !this.trace.ownNetwork.some(({ from, to }) => from <= at && at < to);
  }

  private ask(at: number, hasFailed: boolean): boolean {
    const isAnswering = this.isAnswering(at);
    const isAccused = (hasFailed || this.recent.isMostlyFailing(at)) && !this.recent.isMostlyPassing(at);
    this.state = afterEgressCheck(this.state, { isAnswering, isAccused }, at);
    return isAnswering;
  }

  /** Runs the last regular egress check that was due. */
  private calibrate(at: number): void {
    const everyMs = this.state.lostSince === null ? CALIBRATE_EVERY_MS : 2 * SECOND;
    const due = Math.floor(at / everyMs) * everyMs;
    if (due <= this.askedAt) return;
    this.askedAt = due;
    if (awake(this.trace, due) === due) this.ask(due, false);
  }

  private wake(at: number): void {
    const slept = this.trace.asleep.filter(({ to }) => to <= at);
    if (slept.length === this.slept) return;
    this.slept = slept.length;
    this.state = afterSleep(this.state, slept.at(-1)?.to ?? at);
  }

  /** Whether a failure is caused by the worker's own network. */
  isOwn(monitor: string, isFailing: boolean, wasDown: boolean, at: number): boolean {
    this.wake(at);
    this.calibrate(at);
    if (!(wasDown && isFailing)) this.recent.add(monitor, isFailing, at);
    this.state = afterFinding(this.state, { isFailing, isMostlyFailing: this.recent.isMostlyFailing(at) }, at);
    if (!isFailing) return false;
    const asked = at + EGRESS_CHECK_MS;
    const isAnswering = this.ask(asked, true);
    return blame(this.state, { isAnswering, isMostlyPassing: this.recent.isMostlyPassing(asked) }, asked) === 'self';
  }
}

function seenOf(sight: Sight, isOwn: boolean, at: number): Seen {
  const { isFailing, isSlow, isNearlySlow, tookMs } = sight;
  if (isOwn) return { status: 'unknown', error: 'The network of this worker is down', at: dateAt(at) };
  const status = isFailing ? 'down' : isSlow ? 'degraded' : 'up';
  return { status, error: status === 'up' ? null : 'The check failed', isNearlySlow, at: dateAt(at), tookMs };
}

interface Turn {
  at: number;
  monitor: number;
  place: number;
  /** For a connection test: when the next check is due. */
  before?: number;
}

/** Whether another passing check would only change the time of the last check: no streak, report or incident is open. */
const isSettled = ({ status, turnedAt, latencyStreak, openIncident, steadySince }: WatchState) =>
  status === 'up' && turnedAt === null && latencyStreak === 0 && openIncident === null && steadySince === null;

/** The state and the next check of a monitor after a quiet time, which is skipped up to the first lost check. */
function pass(quiet: Quiet, reader: Reader, place: number, state: WatchState, due: number, policy: Policy) {
  const intervalMs = policy.intervalSeconds * SECOND;
  let at = due;
  if (isSettled(state)) {
    const until = quiet.until(due);
    while (at + intervalMs < until && !reader.isLost(at, place)) at += intervalMs;
  }
  return at === due ? { state, at } : { state: { ...state, lastCheckedAt: dateAt(at - intervalMs) }, at };
}

/** The shortest interval with connection tests, in seconds. */
const TESTED_FROM_SECONDS = 30;

function replayOnePlace(trace: Trace, reader: Reader, intervalSeconds: number, hasTests = true): Replayed {
  const account = new Account();
  const network = new OwnNetwork(trace);
  const numbers = Array.from({ length: trace.monitors }, (_, index) => index + 1);
  const states = new Map(numbers.map((monitor) => [monitor, fresh()]));
  const policies = new Map(numbers.map((monitor) => [monitor, policyOf(intervalSeconds, monitor)]));
  const quiet = new Quiet(trace);
  const turns = new Turns<Turn>();
  // A failing connection test moves the next check, so its former turn is skipped.
  const due = new Map<number, number>();
  const plan = (monitor: number, at: number) => {
    due.set(monitor, at);
    turns.add({ at, monitor, place: 0 });
  };
  const test = ({ at, monitor, before = 0 }: Turn) => {
    const failedAt = due.get(monitor) === before && awake(trace, at) === at ? reader.seeTest(at, 0) : null;
    if (failedAt !== null) plan(monitor, Math.min(before, failedAt + ASKED_AFTER_MS));
  };
  for (const monitor of numbers) plan(monitor, phaseMs({ monitorNum: monitor, intervalSeconds }));
  for (let turn = turns.takeNext(); turn && turn.at < trace.ms; turn = turns.takeNext()) {
    const { monitor } = turn;
    if (turn.before !== undefined) {
      test(turn);
      continue;
    }
    if (due.get(monitor) !== turn.at) continue;
    const state = states.get(monitor);
    const policy = policies.get(monitor);
    if (!state || !policy) break;
    const checkedAt = awake(trace, turn.at);
    const sight = reader.see(checkedAt, 0, monitor === 1);
    const endedAt = checkedAt + sight.tookMs;
    const isOwn = network.isOwn(String(monitor), sight.isFailing, state.status === 'down', endedAt);
    const change = transition(state, seenOf(sight, isOwn, checkedAt), policy, dateAt(endedAt));
    const next = pass(quiet, reader, 0, change.state, atOf(change.dueAt), policy);
    states.set(monitor, next.state);
    if (monitor === 1) account.take(change.incidents, change.spans, checkedAt, endedAt);
    plan(monitor, next.at);
    const testAt = next.at - (intervalSeconds * SECOND) / 2;
    const isTested = hasTests && monitor === 1 && intervalSeconds >= TESTED_FROM_SECONDS;
    if (isTested && isSettled(next.state) && testAt > endedAt) {
      turns.add({ at: testAt, monitor, place: 0, before: next.at });
    }
  }
  return account.end(trace.ms);
}

function replayPlaces(trace: Trace, reader: Reader, intervalSeconds: number, places: number): Replayed {
  const account = new Account();
  const names = Array.from({ length: places }, (_, place) => `place ${place}`);
  const policy = { ...policyOf(intervalSeconds, 1), ...confirmedByOthers(policyOf(intervalSeconds, 1)) };
  const policies = names.map((name) => policyIn({ policy, regions: names }, name));
  let own = fresh();
  const regions = Array.from({ length: places }, fresh);
  const votes: Vote[] = names.map((region, place) => {
    const dueAt = dateAt(phaseMs(policies[place] ?? policy));
    return {
      region,
      status: 'pending',
      statusSince: dateAt(0),
      lastCheckedAt: null,
      lastError: null,
      turnedAt: null,
      dueAt,
    };
  });
  const network = new OwnNetwork(trace);
  const quiet = new Quiet(trace);
  const turns = new Turns<Turn>();
  // A region that is asked to check at once gets a new due time, which replaces its former one.
  const next = new Map<number, number>();
  const plan = (place: number, at: number) => {
    next.set(place, at);
    turns.add({ at, monitor: 1, place });
  };
  for (const [place, { dueAt }] of votes.entries()) plan(place, atOf(dueAt ?? dateAt(0)));
  for (let turn = turns.takeNext(); turn && turn.at < trace.ms; turn = turns.takeNext()) {
    if (next.get(turn.place) !== turn.at) continue;
    const { place } = turn;
    const before = regions[place] ?? fresh();
    const checkedAt = awake(trace, turn.at);
    const sight = reader.see(checkedAt, place);
    const endedAt = checkedAt + sight.tookMs;
    // Only the worker in the first place may lose its network.
    const isOwn = place === 0 && network.isOwn('1', sight.isFailing, before.status === 'down', endedAt);
    const seen = seenOf(sight, isOwn, checkedAt);
    const regional = policyWhileFlapping(policies[place] ?? policy, own);
    const { state: after, dueAt } = transition(before, seen, regional, dateAt(endedAt));
    const areSettled = isSettled(own) && regions.every(isSettled);
    const { state, at } = areSettled
      ? pass(quiet, reader, place, after, atOf(dueAt), regional)
      : { state: after, at: atOf(dueAt) };
    regions[place] = { ...state, changes: [], steadySince: null };
    const { status, statusSince, lastCheckedAt } = state;
    const turnedAt = contradictedSince(state);
    const region = names[place] ?? '';
    votes[place] = { region, status, statusSince, lastCheckedAt, lastError: seen.error, turnedAt, dueAt: dateAt(at) };
    const others = votes.filter((vote) => vote.region !== region);
    for (const asked of regionsToAsk(own, { before, after }, others, dateAt(endedAt))) {
      plan(names.indexOf(asked), endedAt + ASKED_AFTER_MS);
    }
    const isFailing = seen.status === 'down';
    const moment = {
      at: dateAt(checkedAt),
      now: dateAt(endedAt),
      isTurn: status !== before.status,
      isFailing,
      upSince: isFailing && before.status === 'down' ? before.turnedAt : null,
    };
    const { change } = decideRegions(own, votes, policy, moment);
    own = change.state;
    account.take(change.incidents, change.spans, checkedAt, endedAt);
    plan(place, at);
  }
  return account.end(trace.ms);
}

const onePlace = { replay: replayOnePlace, replayCertificates } satisfies Partial<Rule>;
const threePlaces = {
  replay: ((trace, reader, seconds) => replayPlaces(trace, reader, seconds, 3)) satisfies Replay,
};

export const ours: Rule[] = [
  { name: 'Upwatch, 1 place', ...onePlace, replayJob },
  {
    name: 'without tests',
    replay: (trace, reader, seconds) => replayOnePlace(trace, reader, seconds, false),
  },
  { name: 'Upwatch, 3 places', ...threePlaces },
  { name: 'Upwatch, 1 place, 20 s', intervalSeconds: 20, ...onePlace },
  { name: 'Upwatch, 3 places, 20 s', intervalSeconds: 20, ...threePlaces },
];
