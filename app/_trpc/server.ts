import 'server-only';
import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { cache } from 'react';
import { createPageCaller } from '@/server/api/page-caller';

/**
 * The API for a page's first data, as the person whose cookie came with the request; one per request.
 * Following a link from another site is no foreign request here: a page only reads.
 */
export const pageCaller = cache(async () => {
  const own = new Headers(await headers());
  own.delete('origin');
  own.delete('sec-fetch-site');
  return createPageCaller(own);
});

/** The code of an error that a procedure threw, in a page. */
export function errorCode(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : null;
  const code = cause instanceof Error && 'code' in cause ? cause.code : null;
  return typeof code === 'string' ? code : null;
}

/** Who is signed in and in which team, or null. */
export const whoAmI = cache(async () => {
  const caller = await pageCaller();
  try {
    return await caller.auth.me();
  } catch (error) {
    if (errorCode(error) === 'UNAUTHENTICATED') return null;
    throw error;
  }
});

/** Who is signed in; anyone else is sent to sign in and back. */
export async function requirePerson() {
  const me = await whoAmI();
  if (me) return me;
  const path = (await headers()).get('x-upwatch-path');
  redirect(path ? `/login?next=${encodeURIComponent(path)}` : '/login');
}
