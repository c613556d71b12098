import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { createPageCaller } from '@/server/api/page-caller';

/**
 * The API for a page's initial data, as the user of the session cookie; one per request. Allows navigation from other sites, because pages only read.
 */
export const pageCaller = cache(async () => {
  const own = new Headers(await headers());
  own.delete('origin');
  own.delete('sec-fetch-site');
  return createPageCaller(own);
});

/** The code of an error thrown by a procedure. */
export function errorCode(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : null;
}

/** The signed-in user and their current team, or null. */
export const whoAmI = cache(async () => {
  const caller = await pageCaller();
  try {
    return await caller.auth.me();
  } catch (error) {
    if (errorCode(error) === 'UNAUTHENTICATED') return null;
    throw error;
  }
});

/** The URL of the sign-in page with `next`; the web server passes the requested path in a header. */
async function loginPath(): Promise<string> {
  const asked = (await headers()).get('x-upwatch-path');
  if (!asked || !URL.canParse(asked, 'http://site.invalid')) return '/login';
  const { pathname, searchParams } = new URL(asked, 'http://site.invalid');
  // Next adds this parameter to navigation within the page.
  searchParams.delete('_rsc');
  const query = searchParams.size > 0 ? `?${searchParams}` : '';
  return `/login?next=${encodeURIComponent(pathname + query)}`;
}

/** The signed-in user. Redirects others to the sign-in page, which returns to the current page. */
export async function requirePerson() {
  const me = await whoAmI();
  if (me) return me;
  redirect(await loginPath());
}
