import { decode, type JWTDecodeParams } from 'next-auth/jwt';
import { z } from 'zod';
import { env } from '@/server/platform/env';
import { sessionCookieSecret } from './keys';

/** The lifetime of an unused session in days. */
const IDLE_DAYS = 30;

/** Returns the expiry of a session that is used now. */
export function idleEnd(): Date {
  return new Date(Date.now() + IDLE_DAYS * 24 * 60 * 60 * 1000);
}

/** Whether browsers send our cookies over TLS only. */
export const secureCookies = env.appUrl.startsWith('https:');

/**
 * The name of the dashboard's cookie. Differs from next-auth's default, because other programs on 127.0.0.1 may use that one, and cookies do not
 * distinguish ports.
 */
export const SESSION_COOKIE = `${secureCookies ? '__Secure-' : ''}upwatch.session`;

/** The header of each token that next-auth encrypts (RFC 7516 section 4). */
const OWN_HEADER = Buffer.from(JSON.stringify({ alg: 'dir', enc: 'A256GCM' })).toString('base64url');

/**
 * Decrypts a session token. Returns null for a token with another header before any decryption, because its header could select a costly algorithm,
 * such as PBES2 with thousands of rounds.
 * @throws if it is forged or expired
 */
export async function decodeSessionToken(params: JWTDecodeParams) {
  return params.token?.startsWith(`${OWN_HEADER}.`) ? decode(params) : null;
}

/** The content of the dashboard's cookie. The session's row takes precedence. */
const Content = z.object({ sid: z.string(), userId: z.string(), sv: z.int() });
export type SessionCookie = z.infer<typeof Content>;

/** Returns the session cookie's value in a Cookie header, empty without one. Joins a long value, which is split into numbered chunks. */
export function sessionCookieValue(header: string): string {
  const parts: [number, string][] = [];
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    const name = pair.slice(0, at).trim();
    if (at < 0 || !name.startsWith(SESSION_COOKIE)) continue;
    const suffix = name.slice(SESSION_COOKIE.length);
    if (suffix === '') parts.push([-1, pair.slice(at + 1).trim()]);
    else if (/^\.\d{1,2}$/.test(suffix)) parts.push([Number(suffix.slice(1)), pair.slice(at + 1).trim()]);
  }
  return parts
    .sort(([a], [b]) => a - b)
    .map(([, value]) => value)
    .join('');
}

/**
 * Reads the dashboard's session from a Cookie header; null without a cookie, or with an invalid or expired one. Does not use next-auth's `getToken`,
 * because that would also accept a bearer token.
 */
export async function readSessionCookie(cookieHeader: string | null): Promise<SessionCookie | null> {
  const token = sessionCookieValue(cookieHeader ?? '');
  if (!token) return null;
  try {
    return Content.parse(await decodeSessionToken({ token, secret: sessionCookieSecret() }));
  } catch {
    return null;
  }
}
