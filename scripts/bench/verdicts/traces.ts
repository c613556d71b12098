// What a target really did, and what a check of it sees: generated from a seed, so that every rule is held against the same year.
import { DAY_MS, HOUR_MS } from '@/server/time/schema';

/** Returns a number from 0 to 1. */
export type Random = () => number;

export const SECOND = 1_000;
export const MINUTE = 60 * SECOND;

/** Milliseconds since the start of a trace. */
export interface Interval {
  from: number;
  to: number;
}

/**
 * How a target that is down fails: it refuses the connection, returns an error page, ignores the connection attempt, or accepts it without a
 * response.
 */
type Failure = 'refused' | 'error' | 'silent' | 'hanging';

/** What a check from one place observes. */
export interface Sight {
  isFailing: boolean;
  isSlow: boolean;
  /** Above four fifths of the limit: neither slow nor clearly fast. */
  isNearlySlow: boolean;
  tookMs: number;
  /** Whether it sees the certificate that expires soon. */
  isOldCertificate: boolean;
}

/** Something that happens to the target or the network in between. */
interface Event extends Interval {
  /** The share of checks that fail during it. */
  share: number;
  failure: Failure;
  /** The places that observe it; by default all. */
  places?: number[];
}

/** A job that pings. */
export interface Job {
  periodSeconds: number;
  graceSeconds: number;
  pings: number[];
}

export interface Trace {
  family: string;
  ms: number;
  /** The outages that should cause an alert. For a job, they begin when a ping is due; for a certificate, they last while it is served. */
  outages: Interval[];
  /** Times in which latency stays above the limit. */
  slow: Interval[];
  /** The share of checks that are lost at any time. */
  loss: number;
  events: Event[];
  /** Times without the worker's own network, which do not depend on a target. */
  ownNetwork: Interval[];
  /** Times in which no check runs and no ping is received: sleep, or a restart. */
  asleep: Interval[];
  /** The number of monitors of the worker. The figures are about the first one. */
  monitors: number;
  /** Median latency, and the limit above which a check is slow. */
  latencyMs: number;
  limitMs: number;
  /** Null for a trace of checks. */
  job: Job | null;
  /** The share of servers whose certificate expires soon during outages; null for a trace of checks. */
  oldCertificates: number | null;
}

const TIMEOUT_MS = 10_000;
const PLACES = 3;
/** When the kernel sends the packet that opens a connection, in milliseconds after the start of a check (RFC 6298, doubled). */
const SYN_AT_MS = [0, 1_000, 3_000, 7_000];

/** The longest connection test, and the packets that it sends in that time. */
const TEST_MS = 4_000;
const TEST_SYN_AT_MS = SYN_AT_MS.filter((at) => at < TEST_MS);

/** Returns a trace of `ms` milliseconds without problems except those in `more`. */
export function traceOf(family: string, ms: number, more: Partial<Trace> = {}): Trace {
  return {
    family,
    ms,
    outages: [],
    slow: [],
    loss: 0,
    events: [],
    ownNetwork: [],
    asleep: [],
    monitors: 1,
    latencyMs: 120,
    limitMs: 1_000,
    job: null,
    oldCertificates: null,
    ...more,
  };
}

/** The standard deviation of the logarithm of a latency. */
const LATENCY_SPREAD = 0.25;

/** Returns a normally distributed number (Box–Muller). */
const normal = (one: number, other: number) => Math.sqrt(-2 * Math.log(1 - one)) * Math.cos(2 * Math.PI * other);

export const within = ({ from, to }: Interval, at: number) => from <= at && at < to;

/** Returns a number from `low` to `high`, evenly distributed over orders of magnitude. */
const logUniform = (random: Random, low: number, high: number) =>
  Math.exp(Math.log(low) + random() * Math.log(high / low));

/** Times that are `everyMs` apart on average, and at least a minute. */
function moments(random: Random, ms: number, everyMs: number): number[] {
  const found: number[] = [];
  const next = (at: number) => at + MINUTE - Math.log(1 - random()) * everyMs;
  for (let at = next(0); at < ms; at = next(at)) found.push(at);
  return found;
}

const failures: Failure[] = ['refused', 'error', 'silent', 'hanging'];
const anyFailure = (random: Random): Failure => failures[Math.floor(random() * failures.length)] ?? 'error';

/** Outages in which every check fails. */
function clean(random: Random, ms: number, everyMs: number, lengthMs: (random: Random) => number): Event[] {
  return moments(random, ms, everyMs).map((from) => {
    return { from, to: from + lengthMs(random), share: 1, failure: anyFailure(random) };
  });
}

const between = (low: number, high: number) => (random: Random) => logUniform(random, low, high);

/**
 * How long failures last: half of them less than a minute, four of five less than 10 min, one of ten more than 20 min. After G. Iannaccone et al.,
 * "Analysis of link failures in an IP backbone" (2002), whose figures are cut off at six hours.
 */
const PUBLISHED_LENGTHS: [share: number, low: number, high: number][] = [
  [0.5, 5 * SECOND, MINUTE],
  [0.8, MINUTE, 10 * MINUTE],
  [0.9, 10 * MINUTE, 20 * MINUTE],
  [1, 20 * MINUTE, 6 * HOUR_MS],
];

function publishedLength(random: Random): number {
  const share = random();
  const [, low, high] = PUBLISHED_LENGTHS.find(([upTo]) => share < upTo) ?? [1, MINUTE, MINUTE];
  return logUniform(random, low, high);
}

/** Bursts (Gilbert–Elliott): usually none, and in a burst most packets are lost or most checks fail. Independent for each place. */
function bursts(random: Random, ms: number, everyMs: number, meanMs: number, failure: Failure): Event[] {
  return eachPlace((place) =>
    moments(random, ms, everyMs).map((from) => {
      const to = from - Math.log(1 - random()) * meanMs;
      return { from, to, share: 0.7, failure, places: [place] };
    }),
  );
}

/** Failures of the path from one place, which that place cannot tell from an outage. */
function pathFailures(random: Random, ms: number, everyMs: number): Event[] {
  return eachPlace((place) =>
    moments(random, ms, everyMs).map((from) => {
      const to = from + logUniform(random, 20 * SECOND, 10 * MINUTE);
      return { from, to, share: 1, failure: 'silent' as const, places: [place] };
    }),
  );
}

const eachPlace = (make: (place: number) => Event[]) =>
  Array.from({ length: PLACES }, (_, place) => make(place)).flat();

/** Returns the times in which at least one of the events lasts. */
export function intervals(events: Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const { from, to } of events.toSorted((a, b) => a.from - b.from)) {
    const last = merged.at(-1);
    if (last && from <= last.to) last.to = Math.max(last.to, to);
    else merged.push({ from, to });
  }
  return merged;
}

/** Returns when the target was really down: in every check or every second one, failing from all places or two of three. */
export function downOf({ events, outages, job, oldCertificates }: Trace): Interval[] {
  if (job || oldCertificates !== null) return outages;
  return intervals(events.filter(({ places, share }) => (places?.length ?? PLACES) > 1 && share >= 0.5));
}

/** The time before and after events in which all checks are replayed, in milliseconds. */
const BEFORE_MS = 3 * MINUTE;
const AFTER_MS = 15 * MINUTE;

/** Finds long times without events, in which a replay can skip the checks that are not lost. */
export class Quiet {
  private readonly busy: Interval[];
  private first = 0;

  constructor({ latencyMs, events, ownNetwork, asleep, slow, ms }: Trace) {
    const all = [...events, ...ownNetwork, ...asleep, ...slow];
    const isAlwaysBusy = latencyMs > 500;
    this.busy = isAlwaysBusy
      ? [{ from: 0, to: ms }]
      : intervals(
          [...all, { from: ms, to: ms }].map(({ from, to }) => ({ from: from - BEFORE_MS, to: to + AFTER_MS })),
        );
  }

  /** The first time from `at` on that is not quiet. Calls must be ordered by time, except within a few minutes. */
  until(at: number): number {
    while ((this.busy[this.first]?.to ?? Number.POSITIVE_INFINITY) < at - HOUR_MS) this.first += 1;
    for (let index = this.first; ; index += 1) {
      const busy = this.busy[index];
      if (!busy) return at;
      if (at < busy.to) return Math.max(at, busy.from);
    }
  }
}

/** The duration of a deployment, which should not cause an alert. */
const DEPLOY_MS = 5 * SECOND;

/** Episodes of a service that goes down and up, each time for `flipMs` on average. */
function flapping(random: Random, ms: number, everyMs: number, lengthMs: number, flipMs: number) {
  const episodes = moments(random, ms, everyMs).map((from) => ({ from, to: from + lengthMs }));
  const events = episodes.flatMap((episode) => {
    const found: Event[] = [];
    // Irregular, because phases of nearly the same length would be hit by all checks of one interval, or by none.
    const turnMs = () => flipMs * (0.4 + 1.2 * random());
    for (let { from } = episode; from < episode.to; ) {
      const to = Math.min(episode.to, from + turnMs());
      found.push({ from, to, share: 1, failure: 'error' });
      from = to + turnMs();
    }
    return found;
  });
  return { episodes, events };
}

/** A year with all kinds of events. The path from each place fails every month. */
function mixedYear(random: Random): Trace {
  const ms = 365 * DAY_MS;
  const outages = clean(random, ms, 30 * DAY_MS, between(30 * SECOND, 6 * HOUR_MS));
  const flaps = flapping(random, ms, 180 * DAY_MS, 15 * MINUTE, 30 * SECOND);
  const deploys = moments(random, ms, 7 * DAY_MS).map((from) => {
    return { from, to: from + DEPLOY_MS, share: 1, failure: 'refused' as const };
  });
  const ownNetwork = moments(random, ms, 12 * DAY_MS).map((from) => {
    return { from, to: from + logUniform(random, 30 * SECOND, 10 * MINUTE) };
  });
  return traceOf('mixed year', ms, {
    loss: 0.0005,
    outages: intervals([...outages, ...flaps.episodes]),
    events: [
      ...outages,
      ...flaps.events,
      ...deploys,
      ...bursts(random, ms, 0.6 * DAY_MS, 8 * SECOND, 'silent'),
      ...pathFailures(random, ms, 30 * DAY_MS),
    ],
    ownNetwork,
  });
}

type Family = (random: Random) => Trace;

function ofOutages(name: string, everyMs: number, lengthMs: (random: Random) => number, failure?: Failure): Family {
  return (random) => {
    const ms = 30 * DAY_MS;
    const events = clean(random, ms, everyMs, lengthMs).map((event) => (failure ? { ...event, failure } : event));
    return traceOf(name, ms, { events, outages: intervals(events) });
  };
}

const ofBursts = (name: string, failure: Failure): Family => {
  const ms = 90 * DAY_MS;
  return (random) => traceOf(name, ms, { events: bursts(random, ms, 6 * HOUR_MS, 10 * SECOND, failure) });
};

const ofLoss = (loss: number): Family => {
  return () => traceOf(`loss of ${loss * 100} %`, 30 * DAY_MS, { loss });
};

function ofFlapping(flipMs: number): Family {
  return (random) => {
    const ms = 30 * DAY_MS;
    const { episodes, events } = flapping(random, ms, 2 * DAY_MS, 2 * HOUR_MS, flipMs);
    return traceOf(`flapping every ${flipMs / SECOND} s`, ms, {
      events,
      outages: intervals(episodes),
    });
  };
}

function ofOwnNetwork(monitors: number): Family {
  return (random) => {
    const ms = 30 * DAY_MS;
    const ownNetwork = moments(random, ms, DAY_MS).map((from) => {
      return { from, to: from + logUniform(random, 30 * SECOND, 10 * MINUTE) };
    });
    return traceOf(`own network, ${monitors} monitor${monitors === 1 ? '' : 's'}`, ms, { ownNetwork, monitors });
  };
}

function ofRegions(failing: number): Family {
  return (random) => {
    const ms = 90 * DAY_MS;
    const places = Array.from({ length: failing }, (_, place) => place);
    const events = clean(random, ms, 3 * DAY_MS, between(MINUTE, HOUR_MS)).map((event) => ({ ...event, places }));
    // Failures in two of three places cannot be distinguished from an outage.
    return traceOf(`${failing} of 3 places fail`, ms, { events, outages: failing > 1 ? intervals(events) : [] });
  };
}

function ofShare(random: Random): Trace {
  const ms = 30 * DAY_MS;
  const events = moments(random, ms, 2 * DAY_MS).map((from) => {
    return { from, to: from + 30 * MINUTE, share: 0.5, failure: 'error' as const };
  });
  return traceOf('half of the requests fail', ms, { events, outages: intervals(events) });
}

function ofDeploys(random: Random): Trace {
  const ms = 90 * DAY_MS;
  const events = moments(random, ms, 4 * HOUR_MS).map((from) => {
    return { from, to: from + DEPLOY_MS, share: 1, failure: 'refused' as const };
  });
  return traceOf('deploys of 5 s', ms, { events });
}

function ofSleep(random: Random): Trace {
  const ms = 90 * DAY_MS;
  const asleep = moments(random, ms, 3 * DAY_MS).map((from) => ({ from, to: from + HOUR_MS }));
  // After a machine wakes up, its network takes some seconds longer than its programs.
  const ownNetwork = asleep.map(({ to }) => ({ from: to, to: to + 4 * SECOND }));
  return traceOf("an hour's sleep", ms, { asleep, ownNetwork });
}

/** Outages, half of them with a restart of the worker, and restarts between them. */
function ofRestarts(random: Random): Trace {
  const ms = 90 * DAY_MS;
  const events = clean(random, ms, 12 * HOUR_MS, between(MINUTE, HOUR_MS));
  const within = events.filter(() => random() < 0.5).map(({ from, to }) => from + random() * (to - from));
  const asleep = [...within, ...moments(random, ms, 12 * HOUR_MS)].map((from) => {
    return { from, to: from + logUniform(random, 2 * SECOND, MINUTE) };
  });
  return traceOf("a worker's restarts", ms, {
    events,
    outages: intervals(events),
    asleep: intervals(asleep),
  });
}

/** Slow for 20 min, then down for as long. */
function ofSlowThenDown(random: Random): Trace {
  const ms = 30 * DAY_MS;
  const slow = moments(random, ms, 12 * HOUR_MS).map((from) => ({ from, to: from + 20 * MINUTE }));
  const events = slow.map(({ to }) => ({ from: to, to: to + 20 * MINUTE, share: 1, failure: anyFailure(random) }));
  return traceOf('slow, then down', ms, { slow, events, outages: intervals(events) });
}

const PERIOD_MS = 5 * MINUTE;
const GRACE_MS = MINUTE;

/** A job every 5 min with 1 min of grace. One of 50 runs is late within grace; outages are runs that never happened. */
function ofHeartbeats(family: string, outageEveryMs: number, isAwayEveryMs: number): Family {
  return (random) => {
    const ms = 90 * DAY_MS;
    const outages = clean(random, ms, outageEveryMs, between(PERIOD_MS, 6 * HOUR_MS));
    const asleep = isAwayEveryMs > 0 ? moments(random, ms, isAwayEveryMs) : [];
    const pings: number[] = [];
    for (let due = PERIOD_MS; due < ms; due += PERIOD_MS) {
      const late = random() < 0.02 ? random() * (GRACE_MS - 5 * SECOND) : random() * SECOND;
      if (!outages.some((outage) => within(outage, due))) pings.push(due + late);
    }
    const silent = pings.flatMap((ping, index) => {
      const next = pings[index + 1] ?? ms;
      return next - ping > PERIOD_MS + GRACE_MS ? [{ from: ping + PERIOD_MS, to: next }] : [];
    });
    return traceOf(family, ms, {
      outages: silent,
      job: { periodSeconds: PERIOD_MS / SECOND, graceSeconds: GRACE_MS / SECOND, pings },
      asleep: asleep.map((from) => ({ from, to: from + 30 * SECOND })),
    });
  };
}

/** For a day, one server of ten has a certificate that expires soon. */
function ofCertificates(random: Random): Trace {
  const from = 6 * HOUR_MS + random() * HOUR_MS;
  const outages = [{ from, to: from + DAY_MS }];
  return traceOf('one server of ten with an old certificate', 3 * DAY_MS, { outages, oldCertificates: 0.1 });
}

/** Every family of traces, in the order of the table. */
export const families: Family[] = [
  mixedYear,
  ofOutages('outages, refused', 12 * HOUR_MS, between(10 * SECOND, 6 * HOUR_MS), 'refused'),
  ofOutages('outages, silent', 12 * HOUR_MS, between(10 * SECOND, 6 * HOUR_MS), 'silent'),
  ofOutages('outages, hanging', 12 * HOUR_MS, between(10 * SECOND, 6 * HOUR_MS), 'hanging'),
  ofLoss(0.001),
  ofLoss(0.01),
  ofLoss(0.03),
  ofBursts('bursts of lost packets', 'silent'),
  ofBursts('bursts of errors', 'error'),
  ofOutages('an outage a day', DAY_MS, between(MINUTE, 2 * HOUR_MS)),
  () => traceOf('latency near the limit', 20 * DAY_MS, { latencyMs: 820 }),
  ofSlowThenDown,
  ofFlapping(30 * SECOND),
  ofFlapping(5 * MINUTE),
  ofShare,
  ofDeploys,
  ofSleep,
  ofRestarts,
  ofOwnNetwork(1),
  ofOwnNetwork(3),
  ofOwnNetwork(50),
  ofOwnNetwork(1_000),
  ofRegions(1),
  ofRegions(2),
  ofHeartbeats('heartbeats', 3 * DAY_MS, 0),
  ofHeartbeats('heartbeats, all of Upwatch away for 30 s', 3 * DAY_MS, HOUR_MS),
  ofCertificates,
  ofOutages('outages of published lengths', DAY_MS, publishedLength),
];

const LOST = { failure: 'silent', until: Number.POSITIVE_INFINITY } as const;

const tookMs = (failure: Failure, latencyMs: number) =>
  failure === 'refused' ? 5 : failure === 'error' ? latencyMs : TIMEOUT_MS;

/** Reads a trace in the order of time. Skips events that are over. */
export class Reader {
  private readonly events: Event[];
  private first = 0;

  constructor(
    private readonly trace: Trace,
    private readonly seed: number,
  ) {
    this.events = trace.events.toSorted((a, b) => a.from - b.from);
  }

  /** A number from 0 to 1 by time and place, so that every rule sees the same year. */
  private luck(at: number, place: number, which: number): number {
    let mixed = Math.imul(Math.floor(at) ^ Math.imul(this.seed + which, 0x9e3779b1), 0x85ebca6b) ^ (place * 0xc2b2ae35);
    mixed = Math.imul(mixed ^ (mixed >>> 15) ^ Math.floor(at / 2 ** 32), 0x2c1b3c6d);
    mixed = Math.imul(mixed ^ (mixed >>> 12), 0x297a2d39);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  }

  /** Whether the first packet of a check is lost where nothing else happens. */
  isLost(at: number, place: number): boolean {
    return this.trace.loss > 0 && this.luck(at, place, 1) < this.trace.loss;
  }

  /** What a check that starts at `at` observes from a place. `isFirst`: it checks the followed monitor; all others are up. */
  see(at: number, place: number, isFirst = true): Sight {
    const { trace } = this;
    const isSlowTime = isFirst && trace.slow.some((slow) => within(slow, at));
    const spread = normal(this.luck(at, place, 2), this.luck(at, place, 3));
    const usual = trace.latencyMs * Math.exp(LATENCY_SPREAD * spread);
    // A check fails in silence if every packet that would open its connection is lost.
    const opensMs = SYN_AT_MS.find((wait) => this.failureAt(at + wait, place, isFirst)?.failure !== 'silent');
    const found = opensMs === undefined ? LOST : this.failureAt(at + opensMs, place, isFirst);
    const isResumed = found?.failure === 'hanging' && found.until < at + TIMEOUT_MS;
    const waited = isResumed ? found.until - at : (opensMs ?? 0) + (isSlowTime ? 2 * trace.limitMs : 0);
    const latency = waited + usual;
    const isAnswer = found === null || isResumed;
    return {
      isFailing: !isAnswer,
      isSlow: isAnswer && latency > trace.limitMs,
      isNearlySlow: isAnswer && latency > 0.8 * trace.limitMs,
      tookMs: isAnswer ? latency : tookMs(found.failure, latency),
      isOldCertificate:
        trace.oldCertificates !== null &&
        trace.outages.some((outage) => within(outage, at)) &&
        this.luck(at, place, 4) < trace.oldCertificates,
    };
  }

  /** When a connection test (with TLS) that starts at `at` fails; null if it passes, as it does where only the response is an error. */
  seeTest(at: number, place: number): number | null {
    const opensMs = TEST_SYN_AT_MS.find((wait) => this.failureAt(at + wait, place, true)?.failure !== 'silent');
    if (opensMs === undefined) return at + TEST_MS;
    const found = this.failureAt(at + opensMs, place, true);
    if (found?.failure === 'refused') return at + opensMs + tookMs('refused', 0);
    return found?.failure === 'hanging' && found.until > at + TEST_MS ? at + TEST_MS : null;
  }

  /** Why a check fails and until when checks fail; null if it passes. */
  private failureAt(at: number, place: number, isFirst: boolean): { failure: Failure; until: number } | null {
    const { trace } = this;
    if (trace.ownNetwork.some((gone) => within(gone, at))) return place === 0 ? LOST : null;
    if (this.isLost(at, place)) return LOST;
    if (!isFirst) return null;
    // The longest event is six hours; replays look back by less than that.
    while ((this.events[this.first]?.to ?? Number.POSITIVE_INFINITY) < at - 12 * HOUR_MS) this.first += 1;
    for (let index = this.first; index < this.events.length; index += 1) {
      const event = this.events[index];
      if (!event || event.from > at) return null;
      const { places, share, failure, to: until } = event;
      if (!within(event, at) || (places && !places.includes(place))) continue;
      if (share === 1 || this.luck(at, place, 5 + index) < share) return { failure, until };
    }
    return null;
  }
}
