import { z } from 'zod';
import { type Attempt, OwnFailure, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { env } from '@/server/platform/env';
import { describeNetworkError, guardedRequest, until } from '@/server/platform/net';
import { canParseUrl } from '@/server/platform/schema';
import { HOUR_MS, MINUTE_MS } from '@/server/time/schema';
import { PRESETS, requestAnswer } from '../http/request-answer';

/** The list of registries has 60 KB, and names about 1,200 top-level domains. */
const MOST_LIST_BYTES = 512 * 1024;
const MOST_ANSWER_BYTES = 64 * 1024;
const LIST_LIFETIME_MS = 24 * HOUR_MS;
const LIST_RETRY_MS = 10 * MINUTE_MS;
const LIST_TIMEOUT_MS = 10_000;
const SETTINGS = { followRedirects: true, maxRedirects: 3, ipFamily: 'auto', verifyTls: true } as const;

/** The registrations that RDAP servers describe (RFC 9083 §4.5, §4.6, §5.3). */
const DomainAnswer = z.object({
  events: z
    .array(z.object({ eventAction: z.string(), eventDate: z.string() }))
    .max(100)
    .default([]),
  status: z.array(z.string().max(100)).max(100).default([]),
});

/** The list of registries (RFC 9224 §3): domains, and the base URLs of their servers. */
const RegistryList = z.object({
  services: z.array(z.tuple([z.array(z.string().max(253)), z.array(z.string().max(2_000))])).max(5_000),
});

/** What a registry says about a domain. */
export interface Registration {
  isRegistered: boolean;
  /** ISO 8601; null if the domain is not registered. */
  expiresAt: string | null;
  status: string[];
}

const NO_LIST = 'The list of registries could not be read';
const NOT_ASKED = 'The registry could not be asked';

/** Returns any error as a failure that says nothing about the domain. */
function failure(what: string, cause: unknown): OwnFailure {
  if (cause instanceof OwnFailure) return cause;
  return new OwnFailure(`${what}: ${cause instanceof TargetFailure ? cause.message : describeNetworkError(cause)}`);
}

function parse<Output>(schema: z.ZodType<Output>, body: string, what: string): Output {
  try {
    return schema.parse(JSON.parse(body));
  } catch {
    throw new OwnFailure(`${what}: the response is not the expected JSON`);
  }
}

/** The base URLs of registries by domain. */
type Servers = Map<string, string>;

/** Fetches the list of registries, for all teams: with a timeout of its own, from the address that the operator set. */
async function fetchServers(): Promise<Servers> {
  const response = await guardedRequest({
    url: env.rdapBootstrapUrl,
    method: 'GET',
    headers: { ...PRESETS, accept: 'application/json', 'accept-encoding': 'identity' },
    teamId: '',
    trusted: true,
    timeoutMs: LIST_TIMEOUT_MS,
    maxResponseBytes: MOST_LIST_BYTES,
  }).catch((error: unknown) => {
    throw failure(NO_LIST, error);
  });
  if (response.status !== 200) throw new OwnFailure(`${NO_LIST}: status ${response.status}`);
  const servers: Servers = new Map();
  for (const [names, urls] of parse(RegistryList, response.body, NO_LIST).services) {
    const url = urls.find((each) => each.startsWith('https:')) ?? urls[0];
    if (url === undefined || !canParseUrl(url)) continue;
    for (const name of names) servers.set(name.toLowerCase(), url);
  }
  return servers;
}

let list: { servers: Promise<Servers>; until: number } | null = null;

/** Returns the list of registries, which is fetched once a day and process. After a failure, the former one is used until the next try. */
function readServers(): Promise<Servers> {
  if (list && list.until > Date.now()) return list.servers;
  const former = list?.servers;
  const fetched = fetchServers();
  const entry = { servers: former ? fetched.catch(() => former) : fetched, until: Number.POSITIVE_INFINITY };
  const last = (lifetimeMs: number) => () => {
    entry.until = Date.now() + lifetimeMs;
  };
  fetched.then(last(LIST_LIFETIME_MS), last(LIST_RETRY_MS));
  list = entry;
  return entry.servers;
}

/** Returns the base URL for the longest part of a domain that the list names (RFC 9224 §4). */
function serverFor(domain: string, servers: Map<string, string>): string {
  for (let at = domain.indexOf('.'); at >= 0; at = domain.indexOf('.', at + 1)) {
    const url = servers.get(domain.slice(at + 1));
    if (url !== undefined) return url;
  }
  throw new OwnFailure(
    `The registry of .${domain.slice(domain.lastIndexOf('.') + 1)} does not publish registrations by RDAP`,
  );
}

/**
 * Asks the registry of a domain by RDAP (RFC 9082 §3.1.3).
 * @throws OwnFailure if it cannot be asked, or does not say when the domain expires
 */
export async function readRegistration(domain: string, attempt: Attempt): Promise<Registration> {
  const { signal } = attempt;
  const servers = await until(readServers(), signal).catch((error: unknown) => {
    throw failure(NO_LIST, error);
  });
  const url = new URL(`${serverFor(domain, servers).replace(/\/?$/, '/')}domain/${domain}`);
  const request = { url, method: 'GET', headers: { ...PRESETS, accept: 'application/rdap+json' }, body: null };
  const { answer } = await requestAnswer(request, SETTINGS, attempt).catch((error: unknown) => {
    throw failure(NOT_ASKED, signal.aborted ? signal.reason : error);
  });
  const { statusCode, body } = answer;
  if (statusCode === 404) return { isRegistered: false, expiresAt: null, status: [] };
  if (statusCode !== 200) throw new OwnFailure(`${NOT_ASKED}: status ${statusCode}`);
  if (body.length > MOST_ANSWER_BYTES) throw new OwnFailure(`${NOT_ASKED}: the response is larger than 64 KiB`);
  const { events, status } = parse(DomainAnswer, body.toString('utf8'), NOT_ASKED);
  const expiry = events.find(({ eventAction }) => eventAction === 'expiration')?.eventDate ?? '';
  const expiresAt = new Date(expiry);
  if (Number.isNaN(expiresAt.getTime())) throw new OwnFailure('The registry does not say when the domain expires');
  return { isRegistered: true, expiresAt: expiresAt.toISOString(), status };
}
