import { Attempt, type ObserveOptions, OwnFailure } from '@/server/monitor-types/probing/attempt';
import type { Observation } from '@/server/monitor-types/probing/observation';
import { NetworkTimeoutError } from '@/server/platform/net';
import { SizedCache } from '@/server/platform/sized-cache';
import { HOUR_MS, MINUTE_MS } from '@/server/time/schema';
import type { DomainConfig } from './definition';
import { type Registration, readRegistration } from './registries';

/** How long an answer of a registry is used, by all checks of this process, and how long none is asked after a failure. */
const LIFETIME_MS = HOUR_MS;
const RETRY_MS = 10 * MINUTE_MS;
const MOST = { entries: 20_000, size: 8 * 1024 * 1024 };

interface Known {
  until: number;
  latencyMs: number;
  found: Registration | OwnFailure;
}

const known = new SizedCache<Known>(MOST);

/** Asks the registry, or returns what it said within the last hour. Failures are a team's own, because its timeout may be their cause. */
async function lookUp(domain: string, attempt: Attempt): Promise<Known> {
  const failureKey = `${attempt.teamId} ${domain}`;
  const before = [domain, failureKey].map((key) => known.get(key)).find((each) => each && each.until > Date.now());
  if (before) return before;
  const keep = (key: string, found: Known['found'], lifetimeMs: number) => {
    const entry = { until: Date.now() + lifetimeMs, latencyMs: attempt.now(), found };
    known.set(key, entry, key.length + JSON.stringify(found).length);
    return entry;
  };
  try {
    return keep(domain, await readRegistration(domain, attempt), LIFETIME_MS);
  } catch (error) {
    const isStopped = attempt.signal.aborted && !(attempt.signal.reason instanceof NetworkTimeoutError);
    if (isStopped || !(error instanceof OwnFailure)) throw error;
    return keep(failureKey, error, RETRY_MS);
  }
}

/**
 * Asks the registry of a domain when it expires, at most once an hour and process; other checks use its last answer, with its latency. A registry that
 * cannot be asked says nothing about the domain: the result is unknown. All within `timeoutMs`. Rejects only if the signal aborts.
 */
export async function observeDomain(
  { domain, timeoutMs }: DomainConfig,
  options: ObserveOptions,
): Promise<Observation<Registration>> {
  const attempt = new Attempt(timeoutMs, options);
  return attempt.observe(async () => {
    const { found, latencyMs } = await lookUp(domain, attempt);
    // It is the registry's.
    attempt.certificate = null;
    if (found instanceof OwnFailure) throw found;
    return { evidence: found, latencyMs };
  });
}
