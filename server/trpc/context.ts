import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { canParseUrl } from '@/server/platform/schema';
import type { Actor } from './actor';
import type { Credential } from './resolve-actor';
import { readSessionCookie } from './session';

/** The auth surface of a request, which determines the accepted credentials. */
export type AuthSurface =
  /** `/api/v1`: an API key or a user's access token, never a cookie. */
  | 'api'
  /** `/auth`, `/dashboard`, `/admin`: a user's access token or the dashboard's cookie, never an API key. */
  | 'person'
  /** `/api/trpc` and pages: the dashboard's cookie. */
  | 'dashboard';

/** The context of every procedure before its caller is resolved. */
export interface Context {
  db: typeof db;
  log: typeof log;
  requestId: string;
  /** The caller's address as the web server saw it. */
  address: string;
  userAgent: string | null;
  surface: AuthSurface;
  credential: Credential;
  /** Response headers. */
  resHeaders: Headers;
  /** The actor of the credential, once requested. */
  resolving: Promise<Actor> | null;
  /** The access that a REST request was already authorised for, with its caller; null before. A procedure that declares the same access reuses it. */
  authorised: { access: object; actor: Actor } | null;
  /** Whether its calls do not count against the caller's rate limit, as on pages, which have a limit of their own. */
  isUnlimited: boolean;
  /** What a procedure says about its response besides the output: `created` makes REST answer 201. */
  answer: { created?: boolean };
}

/** Returns the bearer token of an Authorization header (RFC 6750): empty if it is malformed, null without one. */
function bearerToken(headers: Headers): string | null {
  const given = headers.get('authorization') ?? '';
  if (!/^Bearer\b/i.test(given)) return null;
  return /^Bearer +([^\s]+) *$/i.exec(given)?.[1] ?? '';
}

/**
 * Rejects a cross-site request of a browser, which carries the cookie without the user's intent (CSRF).
 * @throws AppError FORBIDDEN
 */
function assertSameOrigin(headers: Headers): void {
  const origin = headers.get('origin');
  const host = headers.get('host');
  const foreign = origin
    ? origin !== new URL(env.appUrl).origin && !(canParseUrl(origin) && new URL(origin).host === host)
    : headers.get('sec-fetch-site') === 'cross-site';
  if (foreign)
    throw new AppError('FORBIDDEN', 'Requests with a session cookie are only accepted from the same origin.');
}

async function readCredential(surface: AuthSurface, headers: Headers): Promise<Credential> {
  const token = surface === 'dashboard' ? null : bearerToken(headers);
  if (token !== null) {
    const allowed = surface === 'api' || !token.startsWith('uw_');
    return allowed ? { kind: 'bearer', token } : { kind: 'refused' };
  }
  if (surface === 'api') return { kind: 'none' };
  const session = await readSessionCookie(headers.get('cookie'));
  if (!session) return { kind: 'none' };
  assertSameOrigin(headers);
  return { kind: 'session', ...session };
}

/**
 * Builds the context of one request.
 * @throws AppError FORBIDDEN for a cookie request from another origin
 */
export async function createContext(
  surface: AuthSurface,
  headers: Headers,
  requestId = requestIdOf(headers.get('x-request-id')),
): Promise<Context> {
  return {
    db,
    log: log.child({ requestId }),
    requestId,
    address: headers.get('x-upwatch-address') ?? 'unknown',
    userAgent: headers.get('user-agent'),
    surface,
    credential: await readCredential(surface, headers),
    resHeaders: new Headers(),
    resolving: null,
    authorised: null,
    isUnlimited: false,
    answer: {},
  };
}
