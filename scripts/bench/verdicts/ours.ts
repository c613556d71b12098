// Our rules, through the functions that the worker decides with.
import { phaseMs } from '@/server/checks/schedule/due';
import { blame, type CanaryState, Recent } from '@/server/checks/verdict/canary';
import { decideRegions } from '@/server/checks/verdict/decide-regions';
import type { Vote } from '@/server/checks/verdict/majority';
import {
  type IncidentChange,
  type Policy,
  type Seen,
  transition,
  type WatchState,
} from '@/server/checks/verdict/transition';
import { toWatch } from '@/server/history/watch';
import { HttpConfig } from '@/server/monitors/schema';
import { type Alert, awake, type Replayed, type Rule } from './replay';
import { type Reader, SECOND, type Sight, type Trace } from './traces';

/** The traces' time 0; a whole number of every interval. */
const EPOCH = Date.UTC(2026, 0, 1);
/** How long after a failure the canary is asked. */
const CANARY_TOOK_MS = 50;
const CALIBRATE_EVERY_MS = 60 * SECOND;

const dateAt = (at: number) => new Date(EPOCH + at);
const atOf = (date: Date) => date.getTime() - EPOCH;

function policyOf(intervalSeconds: number, monitorNum: number): Policy {
  const config = HttpConfig.parse({ url: 'https://example.com/' });
  const row = { intervalSeconds, config, watchChangedAt: null, formerWatchMs: null };
  const { degraded, ...confirm } = config.confirm;
  return { monitorNum, intervalSeconds, ...toWatch(row), ...confirm, degraded };
}

const fresh = (): WatchState => ({
  ...{ status: 'pending', statusSince: dateAt(0), failures: 0, recoveries: 0, turnedAt: null },
  ...{
    latencyStreak: 0,
    latencyTurnedAt: null,
    openIncident: null,
    changes: [],
    steadySince: null,
    lastCheckedAt: null,
  },
});

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

/** Turns incident changes into what was sent, and adds up downtime by the spans. */
class Account {
  readonly alerts: Alert[] = [];
  private open: 'downtime' | 'degraded' | null = null;
  private downMs = 0;
  private span = { status: 'pending', startedAt: 0 };

  take(incidents: IncidentChange[], spans: { status: string; startedAt: Date }[], checkedAt: number, at: number): void {
    for (const change of incidents) {
      if (change.kind === 'note') continue;
      if (change.kind === 'open') this.open = change.type;
      const isDowntime = this.open !== 'degraded';
      const kinds = isDowntime ? (['down', 'up'] as const) : (['degraded', 'degraded over'] as const);
      this.alerts.push({ kind: change.kind === 'open' ? kinds[0] : kinds[1], at, checkedAt });
    }
    for (const { status, startedAt } of spans) {
      this.close(atOf(startedAt));
      this.span = { status, startedAt: atOf(startedAt) };
    }
  }

  private close(at: number): void {
    if (this.span.status === 'down') this.downMs += Math.max(0, at - this.span.startedAt);
  }

  end(at: number): Replayed {
    this.close(at);
    return { alerts: this.alerts, downMs: this.downMs };
  }
}

interface Turn {
  at: number;
  monitor: number;
  place: number;
}

/** The next turn; there are at most some dozens. */
function takeNext(turns: Turn[]): Turn | undefined {
  let first = 0;
  for (let index = 1; index < turns.length; index += 1) {
    if ((turns[index]?.at ?? 0) < (turns[first]?.at ?? 0)) first = index;
  }
  return turns.splice(first, 1)[0];
}

function replayOnePlace(trace: Trace, reader: Reader, intervalSeconds: number): Replayed {
  const account = new Account();
  const network = new OwnNetwork(trace);
  const numbers = Array.from({ length: trace.monitors }, (_, index) => index + 1);
  const states = new Map(numbers.map((monitor) => [monitor, fresh()]));
  const policies = new Map(numbers.map((monitor) => [monitor, policyOf(intervalSeconds, monitor)]));
  const turns = numbers.map((monitor) => ({ at: phaseMs(monitor, intervalSeconds), monitor, place: 0 }));
  for (let turn = takeNext(turns); turn && turn.at < trace.ms; turn = takeNext(turns)) {
    const { monitor } = turn;
    const state = states.get(monitor);
    const policy = policies.get(monitor);
    if (!state || !policy) break;
    const checkedAt = awake(trace, turn.at);
    const sight = reader.see(checkedAt, 0, monitor === 1);
    const endedAt = checkedAt + sight.tookMs;
    const isOwn = network.isOwn(String(monitor), sight.isFailing, state.status === 'down', endedAt);
    const change = transition(state, seenOf(sight, isOwn, checkedAt), policy, dateAt(endedAt));
    states.set(monitor, change.state);
    if (monitor === 1) account.take(change.incidents, change.spans, checkedAt, endedAt);
    turns.push({ at: atOf(change.dueAt), monitor, place: 0 });
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
  const turns = regions.map((_, place) => ({ at: phaseMs(1, intervalSeconds), monitor: 1, place }));
  for (let turn = takeNext(turns); turn && turn.at < trace.ms; turn = takeNext(turns)) {
    const { place } = turn;
    const before = regions[place] ?? fresh();
    const checkedAt = awake(trace, turn.at);
    const sight = reader.see(checkedAt, place);
    const endedAt = checkedAt + sight.tookMs;
    const seen = seenOf(sight, false, checkedAt);
    const { state, dueAt } = transition(before, seen, policy, dateAt(endedAt));
    regions[place] = { ...state, changes: [], steadySince: null };
    const { status, statusSince, lastCheckedAt } = state;
    votes[place] = { region: `place ${place}`, status, statusSince, lastCheckedAt, lastError: seen.error, dueAt };
    const moment = { at: dateAt(checkedAt), now: dateAt(endedAt), isTurn: status !== before.status };
    const { change } = decideRegions(own, votes, policy, moment);
    own = change.state;
    account.take(change.incidents, change.spans, checkedAt, endedAt);
    turns.push({ at: atOf(dueAt), monitor: 1, place });
  }
  return account.end(trace.ms);
}

export const ours: Rule[] = [
  { name: 'Upwatch, 1 place', replay: replayOnePlace },
  { name: 'Upwatch, 3 places', replay: (trace, reader, seconds) => replayPlaces(trace, reader, seconds, 3) },
];
