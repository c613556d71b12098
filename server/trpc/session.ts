import { decode } from 'next-auth/jwt';
import { z } from 'zod';
import { env } from '@/server/platform/env';
import { sessionCookieSecret } from './keys';

/** A session ends after so many days without use. */
const IDLE_DAYS = 30;

/** When a session that is used now ends, if it is not used again. */
export function idleEnd(): Date {
  return new Date(Date.now() + IDLE_DAYS * 24 * 60 * 60 * 1000);
}

/** Whether browsers send our cookies over TLS only. */
export const secureCookies = env.appUrl.startsWith('https:');

/** Not next-auth's own name: other programs on 127.0.0.1 use that, and ports do not keep cookies apart. */
export const SESSION_COOKIE = `${secureCookies ? '__Secure-' : ''}upwatch.session`;

/** What the dashboard's cookie says. The session's row has the last word on it. */
const Content = z.object({ sid: z.string(), userId: z.string(), sv: z.int() });
export type SessionCookie = z.infer<typeof Content>;

/** The cookie's value; a long one comes in numbered parts. */
function sessionCookieValue(header: string): string {
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
 * Reads the dashboard's session from a Cookie header, and from nothing else: next-auth's own `getToken` would take a
 * bearer token as well. Null without a cookie, or with one that is not ours or whose time is over.
 */
export async function readSessionCookie(cookieHeader: string | null): Promise<SessionCookie | null> {
  const token = sessionCookieValue(cookieHeader ?? '');
  if (!token) return null;
  try {
    return Content.parse(await decode({ token, secret: sessionCookieSecret() }));
  } catch {
    return null;
  }
}
