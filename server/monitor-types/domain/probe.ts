import { Attempt, type ObserveOptions, OwnFailure } from '@/server/monitor-types/probing/attempt';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { FairPool } from '@/server/platform/fair-pool';
import { until } from '@/server/platform/net';
import { SizedCache } from '@/server/platform/sized-cache';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/time/schema';
import type { DomainConfig } from './definition';
import { lostStatus } from './evaluate';
import { failure, type Registration, readRegistration } from './registries';

/** How long all checks of this process use an answer: usually, if they confirm a change, and while the registry cannot be asked. */
const LIFETIME_MS = HOUR_MS;
const FRESH_MS = 5_000;
const SPARE_MS = DAY_MS;
/** How long a registry is not asked again about a domain after a failure. */
const RETRY_MS = 10 * MINUTE_MS;
/** The time limit of a request, which may be longer than that of the checks that wait for it. */
const TIMEOUT_MS = 10_000;
const MOST = { entries: 20_000, size: 8 * 1024 * 1024 };

interface Answer {
  at: number;
  latencyMs: number;
  found: Registration;
}

interface Known {
  /** The last answer of the registry. */
  answer: Answer | null;
  /** Why it could not be asked since then. */
  failure: { until: number; error: string } | null;
}

const known = new SizedCache<Known>(MOST);
const requests = new FairPool({ kind: 'rdap', slots: 50 });
/** Requests that wait or run, by domain. */
const underWay = new Map<string, Promise<Observation<Registration>>>();

/** Asks the registry and stores the result for all teams. Never rejects. */
async function request(domain: string, teamId: string): Promise<Observation<Registration>> {
  const attempt = new Attempt(TIMEOUT_MS, { signal: new AbortController().signal, teamId });
  const seen = await attempt.observe(async () => ({ evidence: await readRegistration(domain, attempt) }));
  const { evidence, latencyMs, error } = seen;
  const now = Date.now();
  const entry: Known = evidence
    ? { answer: { at: now, latencyMs, found: evidence }, failure: null }
    : { answer: known.get(domain)?.answer ?? null, failure: { until: now + RETRY_MS, error: error ?? '' } };
  known.set(domain, entry, domain.length + JSON.stringify(entry).length);
  return seen;
}

/** Waits for a request that other checks of the domain share, and notes it as evidence. */
async function share(domain: string, attempt: Attempt): Promise<Answer> {
  const { teamId } = attempt;
  const shared =
    underWay.get(domain) ??
    requests.run({ team: teamId }, () => request(domain, teamId)).finally(() => underWay.delete(domain));
  underWay.set(domain, shared);
  const { evidence, latencyMs, error, trace, timings } = await until(shared, attempt.signal);
  Object.assign(attempt.trace, trace);
  Object.assign(attempt.timings, timings);
  if (!evidence) throw new OwnFailure(error ?? '');
  return { at: Date.now(), latencyMs, found: evidence };
}

/** Whether an answer lacks a date and says nothing else either. Asking again would not help. */
const isBare = ({ found }: Answer) => found.isRegistered && found.expiresAt === null && lostStatus(found) === undefined;

/**
 * Returns what the registry says about a domain, or said recently. While it cannot be asked, that is up to a day, except that a domain is not
 * registered: that may have been a fault, which the next answer would correct.
 */
async function lookUp(domain: string, attempt: Attempt, { signal, fresh = false }: ObserveOptions): Promise<Answer> {
  const { answer, failure: failed } = known.get(domain) ?? {};
  const age = answer ? Date.now() - answer.at : Number.POSITIVE_INFINITY;
  if (answer && age < (fresh && !isBare(answer) ? FRESH_MS : LIFETIME_MS)) return answer;
  try {
    if (failed && failed.until > Date.now()) throw new OwnFailure(failed.error);
    return await share(domain, attempt);
  } catch (error) {
    signal.throwIfAborted();
    if (answer?.found.isRegistered && age < SPARE_MS) return answer;
    throw failure(error);
  }
}

/**
 * Asks the registry of a domain when it expires, about once an hour and process; other checks use its last answer, with its latency. A check that
 * confirms a change really asks. A registry that cannot be asked says nothing about the domain: the result is unknown. All within `timeoutMs`. Rejects
 * only if the signal aborts.
 */
export async function observeDomain(
  { domain, warnDays, timeoutMs }: DomainConfig,
  options: ObserveOptions,
): Promise<Observation<Registration>> {
  const attempt = new Attempt(timeoutMs, options);
  return attempt.observe(async () => {
    const answer = await lookUp(domain, attempt, options);
    if (warnDays > 0 && isBare(answer)) throw new OwnFailure('The registry does not say when the domain expires');
    return { evidence: answer.found, latencyMs: answer.latencyMs };
  });
}
