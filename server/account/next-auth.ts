import type { AuthOptions } from 'next-auth';
import Credentials from 'next-auth/providers/credentials';
import { revokeSession } from '@/server/auth/revoke-session';
import { LogInInput } from '@/server/auth/schema';
import { isDatabaseAway } from '@/server/platform/database/database-away';
import { db } from '@/server/platform/db';
import { env, trustAskedHost } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { requestIdOf } from '@/server/platform/ids';
import { log } from '@/server/platform/log';
import { canParseUrl } from '@/server/platform/schema';
import type { VerbContext } from '@/server/trpc/contexts';
import { sessionCookieSecret } from '@/server/trpc/keys';
import { decodeSessionToken, SESSION_COOKIE, secureCookies } from '@/server/trpc/session';
import { logInToDashboard } from './log-in-to-dashboard';

declare module 'next-auth' {
  interface User {
    id: string;
    sid: string;
    sv: number;
  }
}

/** The cookie with the URL to open after sign-in. Like the session cookie, it has a name that no other program on 127.0.0.1 uses. */
export const CALLBACK_COOKIE = `${secureCookies ? '__Secure-' : ''}upwatch.callback-url`;

/** The lifetime of the cookie. An unused session ends earlier in the database. */
const COOKIE_SECONDS = 180 * 24 * 60 * 60;

function toContext(headers: Record<string, string | undefined>): VerbContext {
  const requestId = requestIdOf(headers['x-request-id']);
  return {
    db,
    log: log.child({ requestId }),
    requestId,
    address: headers['x-upwatch-address'] ?? 'unknown',
    userAgent: headers['user-agent'] ?? null,
    actor: { kind: 'anonymous' },
  };
}

/** The credentials form as passed by next-auth, with its own fields. */
const Form = LogInInput.strip();

/**
 * Signs in with the submitted credentials; null if they are wrong.
 * @throws Error whose message is an error code, because next-auth passes the message to the page
 */
async function authorize(credentials: unknown, headers: Record<string, string | undefined>) {
  const input = Form.safeParse(credentials);
  if (!input.success) return null;
  const ctx = toContext(headers);
  try {
    const { id: sid, userId, sessionVersion } = await logInToDashboard({ ctx, input: input.data });
    return { id: userId, sid, sv: sessionVersion };
  } catch (error) {
    if (error instanceof AppError && error.code === 'UNAUTHENTICATED') return null;
    if (isDatabaseAway(error)) throw new Error('UNAVAILABLE');
    if (!(error instanceof AppError)) ctx.log.error({ err: error }, 'Signing in failed');
    throw new Error(error instanceof AppError ? error.code : 'INTERNAL');
  }
}

/** Returns the URL to open after signing in or out: the requested one if it is on the host of the request or at APP_URL, otherwise the base URL. */
function redirect({ url, baseUrl }: { url: string; baseUrl: string }): string {
  if (!canParseUrl(url, baseUrl)) return baseUrl;
  const target = new URL(url, baseUrl);
  const isWeb = target.protocol === 'http:' || target.protocol === 'https:';
  const isOurs = target.host === new URL(baseUrl).host || target.origin === env.appUrl;
  return isWeb && isOurs ? target.href : baseUrl;
}

const cookieOptions = { httpOnly: true, sameSite: 'lax', path: '/', secure: secureCookies } as const;

let options: AuthOptions | undefined;

/** Returns next-auth's options; created on first use, because builds have no APP_SECRET. */
export function authOptions(): AuthOptions {
  trustAskedHost();
  options ??= {
    secret: sessionCookieSecret(),
    session: { strategy: 'jwt', maxAge: COOKIE_SECONDS },
    jwt: { decode: decodeSessionToken },
    useSecureCookies: secureCookies,
    cookies: {
      sessionToken: { name: SESSION_COOKIE, options: cookieOptions },
      callbackUrl: { name: CALLBACK_COOKIE, options: cookieOptions },
    },
    pages: { signIn: '/login', signOut: '/login', error: '/login' },
    providers: [
      Credentials({
        credentials: { email: { type: 'email' }, password: { type: 'password' } },
        authorize: (credentials, { headers }) => authorize(credentials, headers ?? {}),
      }),
    ],
    callbacks: {
      redirect,
      jwt: ({ token, user }) => (user ? { sid: user.sid, userId: user.id, sv: user.sv } : token),
      session: ({ session }) => ({ expires: session.expires }),
    },
    events: {
      signOut: async ({ token }) => {
        if (typeof token?.sid === 'string') await revokeSession(token.sid);
      },
    },
    logger: {
      error: (code, metadata) => {
        // An unreadable session cookie is expired or forged; it must not fill the log.
        if (code === 'JWT_SESSION_ERROR') log.debug({ code }, 'next-auth could not read a session cookie');
        else log.warn({ code, metadata }, 'next-auth reported an error');
      },
      warn: (code) => log.debug({ code }, 'next-auth warned'),
      debug: (code) => log.debug({ code }, 'next-auth'),
    },
  };
  return options;
}
