import { type Attempt, TargetFailure } from '@/server/monitor-types/probing/attempt';
import type { HttpConfig } from '@/server/monitor-types/schema';
import { sha256 } from '@/server/platform/crypto';
import { guardedRequest } from '@/server/platform/net';
import { SizedCache } from '@/server/platform/sized-cache';
import { trustOf } from './request-answer';

type OAuth2 = Extract<NonNullable<HttpConfig['auth']>, { kind: 'oauth2' }>;

interface Token {
  value: string;
  /** Milliseconds since the epoch. */
  expiresAt: number;
}

/** The maximum number of tokens, and of their characters in all: a target chooses how long its tokens are, up to 64 Ki. */
const MOST = { entries: 10_000, size: 16 * 1024 * 1024 };
const MOST_ANSWER_BYTES = 64 * 1024;
/** The assumed lifetime if the response contains none (RFC 6749 §5.1 makes it optional); short enough for any server. */
const DEFAULT_LIFETIME_SECONDS = 300;
/** A token is not used in the last moments of its lifetime. */
const MARGIN_MS = 10_000;

const tokens = new SizedCache<Token>(MOST);

/** What a token depends on: the request, and the certificates of its connection. */
const keyOf = (auth: OAuth2, config: HttpConfig): string =>
  sha256(JSON.stringify([auth, trustOf(new URL(auth.tokenUrl), config)]));

/** Returns Basic credentials of an ID and secret that are form-encoded first (RFC 6749 §2.3.1). */
function basic({ clientId, clientSecret }: OAuth2): string {
  const encode = (text: string) => new URLSearchParams({ '': text }).toString().slice(1);
  return Buffer.from(`${encode(clientId)}:${encode(clientSecret)}`).toString('base64');
}

function parseToken(body: string): { access_token?: unknown; expires_in?: unknown } {
  try {
    return (JSON.parse(body) ?? {}) as { access_token?: unknown; expires_in?: unknown };
  } catch {
    return {};
  }
}

async function fetchToken(auth: OAuth2, config: HttpConfig, attempt: Attempt): Promise<Token> {
  const { clientId, clientSecret, scope, audience } = auth;
  const isInBody = auth.tokenAuthMethod === 'client_secret_post';
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    ...(scope && { scope }),
    ...(audience && { audience }),
    ...(isInBody && { client_id: clientId, client_secret: clientSecret }),
  });
  const { status, body } = await guardedRequest({
    url: auth.tokenUrl,
    method: 'POST',
    teamId: attempt.teamId,
    headers: {
      accept: 'application/json',
      ...(!isInBody && { authorization: `Basic ${basic(auth)}` }),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: form.toString(),
    timeoutMs: config.timeoutMs,
    maxResponseBytes: MOST_ANSWER_BYTES,
    trust: trustOf(new URL(auth.tokenUrl), config),
    within: attempt,
  });
  if (status < 200 || status > 299) throw new TargetFailure(`The token endpoint responded with status ${status}`);
  const { access_token: value, expires_in: seconds } = parseToken(body);
  if (typeof value !== 'string' || !/^[\x21-\x7e]+$/.test(value)) {
    throw new TargetFailure('The token endpoint returned no access token');
  }
  const lifetime = typeof seconds === 'number' && seconds > 0 ? seconds : DEFAULT_LIFETIME_SECONDS;
  return { value, expiresAt: Date.now() + lifetime * 1000 - MARGIN_MS };
}

/**
 * Returns an access token by the client-credentials grant (RFC 6749 §4.4): the cached one until shortly before it expires, or else a new one, fetched
 * through the guarded dialler.
 * @throws TargetFailure, or the network's error
 */
export async function accessToken(auth: OAuth2, config: HttpConfig, attempt: Attempt): Promise<string> {
  const key = keyOf(auth, config);
  const kept = tokens.get(key);
  if (kept && kept.expiresAt > Date.now()) return kept.value;
  const token = await fetchToken(auth, config, attempt);
  tokens.set(key, token, token.value.length);
  return token.value;
}

/** Drops a token that the target rejected, so that the next check fetches another. */
export function forgetToken(auth: OAuth2, config: HttpConfig): void {
  tokens.delete(keyOf(auth, config));
}
