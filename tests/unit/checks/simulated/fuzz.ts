import { steadyMs } from '@/server/checks/verdict/flapping';
import { random } from '@/tests/support/random';
import { type Setup, type Sight, SimulatedMonitor, secondsOf } from '@/tests/support/simulated-monitor';

/** A stretch of seconds in which something happens to the target, or on the way to it. */
interface Stretch {
  from: number;
  to: number;
  kind: 'outage' | 'noise' | 'turns' | 'one region' | 'own network' | 'slow' | 'away';
  /** The share of checks that fail; of `turns`, every so many. */
  share: number;
  region: string;
}

interface Action {
  at: number;
  kind: 'edit' | 'regions' | 'pause' | 'resume' | 'check now' | 'maintain';
  regions: string[];
  seconds: number;
}

export interface FuzzTrace {
  seed: number;
  intervalSeconds: number;
  regions: string[];
  stretches: Stretch[];
  actions: Action[];
  /** Whether the target is down or up from `quietFrom` on, and then fails one of so many checks in turns; 0 for none. */
  ends: 'up' | 'down';
  inTurns: number;
  quietFrom: number;
  end: number;
}

const ALL = ['r0', 'r1', 'r2', 'r3'];
const kinds = ['outage', 'outage', 'outage', 'noise', 'turns', 'one region', 'own network', 'slow', 'away'] as const;
const actions = ['edit', 'edit', 'regions', 'pause', 'resume', 'check now', 'maintain'] as const;

/** A trace of about an hour with up to eight stretches and three actions, and then a quiet time in which all of it must be over. */
export function traceOf(seed: number): FuzzTrace {
  const next = random(seed * 7_919 + 13);
  const below = (limit: number) => Math.floor(next() * limit);
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T;
  const intervalSeconds = pick([20, 30, 60, 60, 60, 120]);
  const regions = next() < 0.4 ? [] : ALL.slice(0, 1 + below(4));
  const quietFrom = 40 * intervalSeconds + below(20 * intervalSeconds);
  const stretches = Array.from({ length: 1 + below(8) }, (): Stretch => {
    const from = below(quietFrom);
    const kind = pick(kinds);
    const length = Math.exp(Math.log(5) + next() * Math.log((10 * intervalSeconds) / 5));
    return { from, to: Math.min(quietFrom, from + length), kind, share: 0.1 + 0.8 * next(), region: pick(ALL) };
  });
  const acts = Array.from({ length: below(4) }, (): Action => {
    const kind = pick(actions);
    const wanted = regions.length === 0 ? [] : ALL.filter(() => next() < 0.6);
    const seconds = (1 + below(6)) * intervalSeconds;
    return { at: below(quietFrom), kind, regions: wanted.length > 0 ? wanted : regions, seconds };
  });
  const inTurns = next() < 0.1 ? 2 + below(7) : 0;
  const settles = inTurns > 0 ? 2_400 : 0;
  // A pause ends before the quiet time.
  const closing: Action = { at: quietFrom, kind: 'resume', regions: [], seconds: 0 };
  return {
    seed,
    intervalSeconds,
    regions,
    stretches,
    actions: [...acts.sort((a, b) => a.at - b.at), closing],
    ends: inTurns > 0 ? (inTurns === 2 ? 'down' : 'up') : next() < 0.5 ? 'up' : 'down',
    inTurns,
    quietFrom,
    end: quietFrom + steadyMs(intervalSeconds) / 1000 + 12 * intervalSeconds + settles,
  };
}

/** Luck as a function of time and place, so that it does not depend on the order of checks. */
function luck(seed: number, at: number, region: string): number {
  const place = region === '' ? 0 : region.charCodeAt(1);
  return random(Math.imul(Math.round(at * 1000), 0x9e3779b1) ^ (seed * 31 + place * 7_907))();
}

const within = ({ from, to }: { from: number; to: number }, at: number) => from <= at && at < to;

/** Whether the target is down for everybody. */
const isOutage = ({ stretches, ends, inTurns, quietFrom }: FuzzTrace, at: number) =>
  at >= quietFrom
    ? ends === 'down' && inTurns === 0
    : stretches.some((each) => each.kind === 'outage' && within(each, at));

function sight(trace: FuzzTrace, at: number, region: string): Sight {
  if (at >= trace.quietFrom) return trace.ends;
  const now = trace.stretches.filter((each) => within(each, at));
  const isHere = (each: Stretch) => region === '' || each.region === region;
  if (now.some((each) => each.kind === 'own network' && isHere(each))) return 'unknown';
  if (isOutage(trace, at)) return 'down';
  for (const each of now) {
    if (each.kind === 'noise' && luck(trace.seed, at, region) < each.share) return 'down';
    if (each.kind === 'one region' && region === each.region) return 'down';
    if (each.kind === 'turns' && Math.floor(at / 10) % Math.ceil(1 / each.share) === 0) return 'down';
  }
  return now.some(({ kind }) => kind === 'slow') ? 'degraded' : 'up';
}

/** When each outage lasts, those that touch as one. */
function outagesOf({ stretches, ends, inTurns, quietFrom, end }: FuzzTrace) {
  const all = stretches.filter(({ kind }) => kind === 'outage').map(({ from, to }) => ({ from, to }));
  if (ends === 'down' && inTurns === 0) all.push({ from: quietFrom, to: end });
  const merged: { from: number; to: number }[] = [];
  for (const each of all.sort((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && each.from <= last.to) last.to = Math.max(last.to, each.to);
    else merged.push({ ...each });
  }
  return merged;
}

function act(monitor: SimulatedMonitor, { at, kind, regions, seconds }: Action): void {
  if (kind === 'edit' && !monitor.isPaused) monitor.edit();
  if (kind === 'regions' && !monitor.isPaused) monitor.setRegions(regions);
  if (kind === 'pause') monitor.pause();
  if (kind === 'resume') monitor.resume();
  if (kind === 'maintain') monitor.maintain(at, at + seconds);
  if (kind === 'check now' && !monitor.isPaused) monitor.check(monitor.regions[0] ?? '');
}

const isNoise = ({ kind, from, to }: Stretch, after: number, before: number) =>
  (kind === 'noise' || kind === 'turns' || kind === 'one region') && from < before && to > after - 60;

class Broken extends Error {}

function holds(condition: boolean, what: string): void {
  if (!condition) throw new Broken(what);
}

/** Runs a trace. @returns which invariant does not hold, or null; and the messages */
export function follow(trace: FuzzTrace): { broken: string | null; messages: string[]; checks: number } {
  const { intervalSeconds: interval, end } = trace;
  const aways = trace.stretches.filter(({ kind }) => kind === 'away').sort((a, b) => a.from - b.from);
  const asleepUntil: Setup['asleepUntil'] = (at, region) => {
    let awake = at;
    for (const each of aways) {
      if ((region === '' || each.region === region || each.share > 0.5) && within(each, awake)) awake = each.to;
    }
    return awake;
  };
  const turns = new Map<string, number>();
  const monitor = new SimulatedMonitor({
    intervalSeconds: interval,
    regions: trace.regions,
    see: (at, region) => {
      if (at < trace.quietFrom || trace.inTurns === 0) return sight(trace, at, region);
      const turn = (turns.get(region) ?? 0) + 1;
      turns.set(region, turn);
      return turn % trace.inTurns === 0 ? 'down' : 'up';
    },
    // Not in regions, whose checks would be recorded in another order than they end.
    hangs: () => trace.regions.length === 0 && trace.seed % 3 === 0,
    asleepUntil,
  });
  const outages = outagesOf(trace);
  const windows = trace.actions.filter(({ kind }) => kind === 'maintain');
  const pauses = trace.actions.filter(({ kind }) => kind === 'pause' || kind === 'resume');
  // What no rule can see or say: nothing checks, the network is gone, a window holds messages, or nothing was monitored.
  const isExcused = (from: number, to: number) =>
    trace.stretches.some(
      (each) => (each.kind === 'away' || each.kind === 'own network') && each.from < to && each.to > from,
    ) ||
    windows.some(({ at, seconds }) => at < to && at + seconds > from) ||
    pauses.some(({ at, kind }) => kind !== 'resume' && at < to) ||
    trace.actions.some(({ kind, at }) => (kind === 'regions' || kind === 'edit') && at > from && at < to);
  const afterEach = (now: SimulatedMonitor, at: number) => {
    if (now.isPaused) return;
    for (const row of now.checking) {
      const wait = row.due_at ? secondsOf(row.due_at) - at : Number.POSITIVE_INFINITY;
      if (wait > interval + 61) throw new Broken(`the next check ${wait} s later at ${at}`);
    }
  };
  let broken: string | null = null;
  try {
    for (const action of trace.actions) {
      monitor.run(action.at, afterEach);
      act(monitor, action);
    }
    monitor.run(end, afterEach);
    const { messages, own } = monitor;
    for (const [index, { kind, at, status }] of messages.entries()) {
      const isManual = pauses.some((each) => each.at === at);
      const lasting = outages.find((each) => within(each, at - 0.1) && each.from < at - 1);
      const mayBeUp = isManual || !lasting || isExcused(at - 2 * interval - 70, at);
      holds(kind === 'down' || mayBeUp, `"up" at ${at} while down for everybody`);
      if (!isManual) holds((status === 'down') === (kind === 'down'), `"${kind}" at ${at} while ${status}`);
      const isRepeated = messages[index - 1]?.kind === kind && !isSuperseded(monitor, at);
      holds(index === 0 || !isRepeated, `"${kind}" twice in a row at ${at}`);
    }
    for (const [index, { from, to }] of outages.entries()) {
      const until = Math.min(to + 60, outages[index + 1]?.from ?? end);
      const told = messages.filter(({ kind, at }) => kind === 'down' && at > from && at <= until);
      const isClean = !isExcused(from - 60, to + 60) && !trace.stretches.some((each) => isNoise(each, from, until));
      if (isClean) holds(told.length <= 1, `${told.length} alarms of the outage from ${from}`);
      if (to - from < 3 * interval + 30 || isExcused(from, to)) continue;
      const before = messages.findLast(({ at }) => at <= to);
      holds(before?.kind === 'down', `no alarm of the outage from ${from} to ${to}`);
    }
    holds(own.status === trace.ends, `${own.status} at the end`);
    holds((own.open_incident === 'downtime') === (trace.ends === 'down'), `incident ${own.open_incident} at the end`);
    holds(own.steady_since === null, 'still flapping at the end');
    holds(own.held === null, 'still held at the end');
    holds((messages.at(-1)?.kind === 'down') === (trace.ends === 'down'), 'the last message is not what the status is');
  } catch (error) {
    broken = (error as Error).message;
  }
  return {
    broken,
    messages: monitor.messages.map(({ kind, at }) => `${kind} ${at.toFixed(1)}`),
    checks: monitor.checks,
  };
}

const isSuperseded = (monitor: SimulatedMonitor, at: number) =>
  monitor.changes.some(({ change, at: changed }) => change.kind === 'supersede' && changed === at);

/** Runs these traces. @returns those in which an invariant does not hold */
export function fuzz(from: number, count: number) {
  const broken = [];
  for (let seed = from; seed < from + count; seed += 1) {
    const trace = traceOf(seed);
    const { broken: why, messages } = follow(trace);
    if (why) broken.push({ why, messages, trace });
  }
  return broken;
}
