import { z } from 'zod';
import { type Attempt, OwnFailure, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { env } from '@/server/platform/env';
import { describeNetworkError, guardedRequest, until } from '@/server/platform/net';
import { parseRetryAfter } from '@/server/platform/retry-after';
import { canParseUrl } from '@/server/platform/schema';
import { HOUR_MS, MINUTE_MS } from '@/server/time/schema';
import { PRESETS, requestAnswer } from '../http/request-answer';

/** The list of registries has 60 KB, and names about 1,200 top-level domains. */
const MOST_LIST_BYTES = 512 * 1024;
const MOST_ANSWER_BYTES = 64 * 1024;
const LIST_LIFETIME_MS = 24 * HOUR_MS;
const LIST_RETRY_MS = 10 * MINUTE_MS;
const LIST_TIMEOUT_MS = 10_000;
/** How long a registry is not asked after it refused a request for its limits, by default and at most. */
const PAUSE_MS = 10 * MINUTE_MS;
const MOST_PAUSE_MS = HOUR_MS;
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
  /** ISO 8601; null if the registry does not say. */
  expiresAt: string | null;
  status: string[];
}

const NO_LIST = 'The list of registries could not be read';
const NOT_ASKED = 'The registry could not be asked';

/** Returns any error as a failure that says nothing about the domain. */
export function failure(cause: unknown, what = NOT_ASKED): OwnFailure {
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
    throw failure(error, NO_LIST);
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

let list: { servers: Promise<Servers>; until: number; isRead: boolean } | null = null;

/** Returns the list of registries, which is fetched once a day and process. Meanwhile, and after a failure, the former one is used. */
function readServers(): Promise<Servers> {
  if (list && list.until > Date.now()) return list.servers;
  const fetched = fetchServers();
  const isRead = list?.isRead ?? false;
  const entry = { servers: list && isRead ? list.servers : fetched, until: Number.POSITIVE_INFINITY, isRead };
  fetched.then(
    () => Object.assign(entry, { servers: fetched, until: Date.now() + LIST_LIFETIME_MS, isRead: true }),
    () => Object.assign(entry, { until: Date.now() + LIST_RETRY_MS }),
  );
  list = entry;
  return entry.servers;
}

interface Registry {
  /** The longest part of the domain that the list names (RFC 9224 §4). */
  suffix: string;
  /** The base URL of its server. */
  server: string;
}

function registryOf(domain: string, servers: Servers): Registry {
  for (let at = domain.indexOf('.'); at >= 0; at = domain.indexOf('.', at + 1)) {
    const suffix = domain.slice(at + 1);
    const server = servers.get(suffix);
    if (server !== undefined) return { suffix, server };
  }
  throw new OwnFailure(
    `The registry of .${domain.slice(domain.lastIndexOf('.') + 1)} does not publish registrations by RDAP`,
  );
}

/** Until when a registry is not asked, by its base URL in the list. */
const paused = new Map<string, number>();

/**
 * Asks a registry about a domain by RDAP (RFC 9082 §3.1.3). Null if the domain is not registered.
 * @throws OwnFailure if the registry cannot be asked
 */
async function ask(domain: string, server: string, attempt: Attempt): Promise<Registration | null> {
  if ((paused.get(server) ?? 0) > Date.now()) throw new OwnFailure(`${NOT_ASKED}: it limits requests`);
  const url = new URL(`${server.replace(/\/?$/, '/')}domain/${domain}`);
  const request = { url, method: 'GET', headers: { ...PRESETS, accept: 'application/rdap+json' }, body: null };
  const { answer } = await requestAnswer(request, SETTINGS, attempt).catch((error: unknown) => {
    throw failure(attempt.signal.aborted ? attempt.signal.reason : error);
  });
  const { statusCode, headers, body } = answer;
  // A page is the answer of a proxy or of another server.
  if (statusCode === 404 && !/html/i.test(headers['content-type'] ?? '')) return null;
  if (statusCode === 429 || statusCode === 503) {
    const seconds = parseRetryAfter(headers['retry-after'], new Date());
    paused.set(server, Date.now() + Math.min(seconds === null ? PAUSE_MS : seconds * 1_000, MOST_PAUSE_MS));
  }
  if (statusCode !== 200) throw new OwnFailure(`${NOT_ASKED}: status ${statusCode}`);
  if (body.length > MOST_ANSWER_BYTES) throw new OwnFailure(`${NOT_ASKED}: the response is larger than 64 KiB`);
  const { events, status } = parse(DomainAnswer, body.toString('utf8'), NOT_ASKED);
  const expiresAt = new Date(events.find(({ eventAction }) => eventAction === 'expiration')?.eventDate ?? '');
  return { isRegistered: true, expiresAt: Number.isNaN(expiresAt.getTime()) ? null : expiresAt.toISOString(), status };
}

/**
 * Asks the registry of a domain.
 * @throws OwnFailure if it cannot be asked, or if the domain is a subdomain of one that is registered
 */
export async function readRegistration(domain: string, attempt: Attempt): Promise<Registration> {
  const servers = await until(readServers(), attempt.signal).catch((error: unknown) => {
    throw failure(error, NO_LIST);
  });
  const { suffix, server } = registryOf(domain, servers);
  const found = await ask(domain, server, attempt);
  if (found) return found;
  const parent = domain.slice(domain.indexOf('.') + 1);
  if (parent !== suffix && (await ask(parent, server, attempt))) {
    throw new OwnFailure(`${parent} is registered, and ${domain} is below it: enter ${parent}`);
  }
  return { isRegistered: false, expiresAt: null, status: [] };
}
