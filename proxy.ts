import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { pagePolicy } from '@/server/api/page-policy';
import { isPublicStatusPage } from '@/server/api/public-status';

/** The slug of a public status page's own address. */
const STATUS_PAGE = /^\/status\/([^/]+)$/;

/**
 * Gives every page's answer a policy with a nonce; Next finds it in the request and marks its scripts. Says too whether there is
 * the public status page that is asked for: next.config.ts sends the others to an address that leads nowhere.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  const value = pagePolicy(randomBytes(16).toString('base64'), pathname.startsWith('/status/'));
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', value);
  const [, slug] = STATUS_PAGE.exec(pathname) ?? [];
  if (slug) headers.set('x-upwatch-found', String(await isPublicStatusPage(decodeURIComponent(slug))));
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', value);
  return response;
}

/** Pages alone, known or not: not the interfaces, files, and what stands beside a status page (feeds, badge, logo, JSON). */
export const config = {
  matcher:
    '/((?!(?:api|auth|dashboard|admin)(?:/|$)|_next/|icon\\.svg$|status/[^/]+/(?:logo|version|badge\\.svg|feed\\.(?:atom|rss)|api|api/.*)$).*)',
};
