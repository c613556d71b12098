// The rules of other tools, by their documents.
import { type Alert, awake, type Replay, type Replayed, type Rule, wasRestarted } from './replay';
import { type Interval, type Job, MINUTE, type Reader, SECOND, type Sight, type Trace, within } from './traces';

interface Threshold {
  /** Places that check at the same moment. A round fails where half of them do. */
  places: number;
  /** Failing rounds in a row until down, and passing ones until up. */
  failures: number;
  successes: number;
  /** The waits before a place tries again within a round, in milliseconds. */
  triesAfter?: number[];
}

/** What the monitor said, from its changes. */
class Told {
  readonly alerts: Alert[] = [];
  readonly down: Interval[] = [];
  isDown = false;

  turn(at: number, checkedAt: number): void {
    this.isDown = !this.isDown;
    this.alerts.push({ kind: this.isDown ? 'down' : 'up', at, checkedAt });
    const last = this.down.at(-1);
    if (this.isDown) this.down.push({ from: checkedAt, to: Number.POSITIVE_INFINITY });
    else if (last) last.to = checkedAt;
  }

  end(ms: number): Replayed {
    const down = this.down.map(({ from, to }) => ({ from, to: Math.min(to, ms) }));
    return { alerts: this.alerts, down, unknown: [] };
  }
}

/** A check that tries again where it fails: what it saw last, and how long that took in all. */
function seeAgain(reader: Reader, at: number, place: number, triesAfter: number[]): Sight {
  let sight = reader.see(at, place);
  let { tookMs } = sight;
  for (const wait of triesAfter) {
    if (!sight.isFailing) break;
    sight = reader.see(at + tookMs + wait, place);
    tookMs += wait + sight.tookMs;
  }
  return { ...sight, tookMs };
}

type Fails = (sight: Sight) => boolean;

/** Rounds of checks at the interval, of which a row decides. What is counted is in memory; what was told is stored. */
function replayRounds(
  { places, failures, successes, triesAfter = [] }: Threshold,
  fails: Fails,
  ...[trace, reader, intervalSeconds]: Parameters<Replay>
): Replayed {
  const told = new Told();
  let row = 0;
  for (let due = 0; due < trace.ms; ) {
    const at = awake(trace, due);
    if (wasRestarted(trace, due, at)) row = 0;
    const sights = Array.from({ length: places }, (_, place) => seeAgain(reader, at, place, triesAfter));
    const isFailing = sights.filter(fails).length * 2 >= places;
    row = isFailing === told.isDown ? 0 : row + 1;
    if (row >= (told.isDown ? successes : failures)) {
      told.turn(at + Math.max(...sights.map((sight) => sight.tookMs)), at);
      row = 0;
    }
    due = at + intervalSeconds * SECOND;
  }
  return told.end(trace.ms);
}

function thresholdRule(name: string, threshold: Threshold): Rule {
  return {
    name,
    places: threshold.places,
    replay: (...given) => replayRounds(threshold, ({ isFailing }) => isFailing, ...given),
  };
}

interface Deadline {
  /** Deadlines in a row that no ping kept, until down; how far they lie apart, if not the whole time; and pings until up. */
  missed: number;
  againMs?: number;
  pings: number;
  /** After a restart, the time for the next ping begins anew. */
  restarts: boolean;
  /** How often deadlines are looked at. */
  everyMs: number;
}

/** Down when no ping came within the period and its grace. */
function replayDeadlines(
  { missed, againMs, pings: asked, restarts, everyMs }: Deadline,
  trace: Trace,
  job: Job,
): Replayed {
  const told = new Told();
  const windowMs = (job.periodSeconds + job.graceSeconds) * SECOND;
  const restartedAt = (at: number) => (restarts ? (trace.asleep.findLast(({ to }) => to <= at)?.to ?? 0) : 0);
  let [heard, row] = [Number.POSITIVE_INFINITY, 0];
  for (const ping of [...job.pings, trace.ms]) {
    // A restart before the deadline moves it, and so on until none does.
    let from = heard;
    for (let next = restartedAt(from + windowMs); next > from; next = restartedAt(from + windowMs)) from = next;
    const deadline = from + windowMs + (missed - 1) * (againMs ?? windowMs);
    const at = awake(trace, Math.ceil(deadline / everyMs) * everyMs);
    if (!told.isDown && at < ping) told.turn(at, at);
    if (ping === trace.ms || trace.asleep.some((away) => within(away, ping))) continue;
    row = told.isDown ? row + 1 : 0;
    if (told.isDown && row >= asked) told.turn(ping, ping);
    heard = ping;
  }
  return told.end(trace.ms);
}

/** A message when the certificate that is served expires soon, once until another one is served; none when that is over. */
function replayEachCertificate(trace: Trace, reader: Reader, intervalSeconds: number): Replayed {
  const alerts: Alert[] = [];
  let wasOld = false;
  for (let at = 0; at < trace.ms; at += intervalSeconds * SECOND) {
    const { isOldCertificate, tookMs } = reader.see(at, 0);
    if (isOldCertificate && !wasOld) alerts.push({ kind: 'down', at: at + tookMs, checkedAt: at });
    wasOld = isOldCertificate;
  }
  return { alerts, down: trace.outages, unknown: [] };
}

const GATUS = { places: 1, failures: 3, successes: 2 };

export const peers: Rule[] = [
  // A push monitor waits a full interval after a start. It may be set to what the job's period and grace come to.
  {
    ...thresholdRule('Kuma, 0 retries', { places: 1, failures: 1, successes: 1 }),
    replayJob: (...given) => replayDeadlines({ missed: 1, pings: 1, restarts: true, everyMs: SECOND }, ...given),
    replayCertificates: replayEachCertificate,
  },
  {
    ...thresholdRule('Kuma, 2 retries', { places: 1, failures: 3, successes: 1 }),
    replayJob: (...given) =>
      replayDeadlines({ missed: 3, againMs: MINUTE, pings: 1, restarts: true, everyMs: SECOND }, ...given),
    replayCertificates: replayEachCertificate,
  },
  // An endpoint's condition on its certificate fails the check; an external endpoint fails each time its heartbeat is due.
  {
    ...thresholdRule('Gatus 3/2', GATUS),
    replayJob: (...given) => replayDeadlines({ missed: 3, pings: 2, restarts: true, everyMs: SECOND }, ...given),
    replayCertificates: (...given) => replayRounds(GATUS, ({ isOldCertificate }) => isOldCertificate, ...given),
  },
  // A request that fails is tried again three times, by exponential backoff.
  thresholdRule('OpenStatus, 3 places', { places: 3, failures: 1, successes: 1, triesAfter: [500, 750, 1_125] }),
  {
    name: 'Healthchecks',
    replayJob: (...given) => replayDeadlines({ missed: 1, pings: 1, restarts: false, everyMs: 2 * SECOND }, ...given),
  },
];
