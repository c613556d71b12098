import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import type { Actor, Credential } from './resolve-actor';
import { readSessionCookie } from './session';

/** Which way a request came in; it decides which credentials count. */
export type Door =
  /** `/api/v1`: an API key or a person's access token, never a cookie. */
  | 'api'
  /** `/auth`, `/dashboard`, `/admin`: a person's access token or the dashboard's cookie, never an API key. */
  | 'person'
  /** `/api/trpc` and pages: the dashboard's cookie. */
  | 'dashboard';

/** What every procedure is given before anything is known about its caller. */
export interface Context {
  db: typeof db;
  log: typeof log;
  requestId: string;
  /** The caller's address as the web server saw it. */
  address: string;
  userAgent: string | null;
  door: Door;
  credential: Credential;
  /** Headers the answer is to carry. */
  resHeaders: Headers;
  /** The actor behind the credential, once somebody asked. */
  resolving: Promise<Actor> | null;
  /** Whether nothing in this request is to be counted against the limit of its caller any more. */
  isCounted: boolean;
  /** What a procedure says about its answer beside the answer itself. */
  answer: { created?: boolean };
}

/** The bearer token of an Authorization header (RFC 6750): empty where it cannot be read, null without one. */
function bearerToken(headers: Headers): string | null {
  const given = headers.get('authorization') ?? '';
  if (!/^Bearer\b/i.test(given)) return null;
  return /^Bearer +([^\s]+) *$/i.exec(given)?.[1] ?? '';
}

/** Refuses a browser's request that another site caused; only such requests carry a cookie without meaning it. */
function assertSameOrigin(headers: Headers): void {
  const origin = headers.get('origin');
  const host = headers.get('host');
  const foreign = origin
    ? origin !== new URL(env.appUrl).origin && !(URL.canParse(origin) && new URL(origin).host === host)
    : headers.get('sec-fetch-site') === 'cross-site';
  if (foreign)
    throw new AppError('FORBIDDEN', 'Requests with a session cookie are only accepted from the same origin.');
}

async function readCredential(door: Door, headers: Headers): Promise<Credential> {
  const token = door === 'dashboard' ? null : bearerToken(headers);
  if (token !== null) {
    const allowed = door === 'api' || !token.startsWith('uw_');
    return allowed ? { kind: 'bearer', token } : { kind: 'refused' };
  }
  if (door === 'api') return { kind: 'none' };
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
  door: Door,
  headers: Headers,
  requestId = requestIdOf(headers.get('x-request-id')),
): Promise<Context> {
  return {
    db,
    log: log.child({ requestId }),
    requestId,
    address: headers.get('x-upwatch-address') ?? 'unknown',
    userAgent: headers.get('user-agent'),
    door,
    credential: await readCredential(door, headers),
    resHeaders: new Headers(),
    resolving: null,
    isCounted: false,
    answer: {},
  };
}
