import { z } from 'zod';
import { type Attempt, OwnFailure, TargetFailure } from '@/server/monitor-types/probing/attempt';
import { env } from '@/server/platform/env';
import { describeNetworkError } from '@/server/platform/net';
import { canParseUrl } from '@/server/platform/schema';
import { HOUR_MS } from '@/server/time/schema';
import type { HttpAnswer } from '../http/answer';
import { PRESETS, requestAnswer } from '../http/request-answer';

/** The list of registries has 60 KB, and names about 1,200 top-level domains. */
const MOST_LIST_BYTES = 512 * 1024;
const MOST_ANSWER_BYTES = 64 * 1024;
const LIST_LIFETIME_MS = 24 * HOUR_MS;
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

let list: { servers: Map<string, string>; until: number } | null = null;

/**
 * Sends a GET request.
 * @param whom the server, for the text of a failure
 * @throws OwnFailure for every failure, because it says nothing about the domain
 */
async function ask(url: string, accept: string, whom: string, attempt: Attempt): Promise<HttpAnswer> {
  try {
    const request = { url: new URL(url), method: 'GET', headers: { ...PRESETS, accept }, body: null };
    return (await requestAnswer(request, SETTINGS, attempt)).answer;
  } catch (error) {
    if (error instanceof OwnFailure) throw error;
    const cause = attempt.signal.aborted ? attempt.signal.reason : error;
    throw new OwnFailure(`${whom}: ${cause instanceof TargetFailure ? cause.message : describeNetworkError(cause)}`);
  }
}

function parse<Output>(schema: z.ZodType<Output>, answer: HttpAnswer, mostBytes: number, whom: string): Output {
  try {
    if (answer.truncated || answer.body.length > mostBytes) throw new SyntaxError();
    return schema.parse(JSON.parse(answer.body.toString('utf8')));
  } catch {
    throw new OwnFailure(`${whom}: the response is not the expected JSON`);
  }
}

/** Returns the base URLs of registries by domain. The list of IANA is fetched once a day and process. */
async function readServers(attempt: Attempt): Promise<Map<string, string>> {
  if (list && list.until > Date.now()) return list.servers;
  const whom = 'The list of registries could not be read';
  const answer = await ask(env.rdapBootstrapUrl, 'application/json', whom, attempt);
  if (answer.statusCode !== 200) throw new OwnFailure(`${whom}: status ${answer.statusCode}`);
  const servers = new Map<string, string>();
  for (const [names, urls] of parse(RegistryList, answer, MOST_LIST_BYTES, whom).services) {
    const url = urls.find((each) => each.startsWith('https:')) ?? urls[0];
    if (url === undefined || !canParseUrl(url)) continue;
    for (const name of names) servers.set(name.toLowerCase(), url);
  }
  list = { servers, until: Date.now() + LIST_LIFETIME_MS };
  return servers;
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
  const base = serverFor(domain, await readServers(attempt));
  const whom = 'The registry could not be asked';
  const url = `${base.replace(/\/?$/, '/')}domain/${domain}`;
  const answer = await ask(url, 'application/rdap+json', whom, attempt);
  if (answer.statusCode === 404) return { isRegistered: false, expiresAt: null, status: [] };
  if (answer.statusCode !== 200) throw new OwnFailure(`${whom}: status ${answer.statusCode}`);
  const { events, status } = parse(DomainAnswer, answer, MOST_ANSWER_BYTES, whom);
  const expiry = events.find(({ eventAction }) => eventAction === 'expiration')?.eventDate ?? '';
  const expiresAt = new Date(expiry);
  if (Number.isNaN(expiresAt.getTime())) throw new OwnFailure('The registry does not say when the domain expires');
  return { isRegistered: true, expiresAt: expiresAt.toISOString(), status };
}
