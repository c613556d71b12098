import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { isPublicStatusPage } from '@/server/api/public-status';

/** What a public status page may load: nothing from elsewhere, and of inline scripts only those with this answer's nonce. */
function policy(nonce: string): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

/**
 * Gives every answer of a public status page a policy with a nonce; Next finds it in the request and marks its scripts.
 * Says too whether there is such a page: next.config.ts sends the others to an address that leads nowhere.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const value = policy(randomBytes(16).toString('base64'));
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', value);
  const slug = decodeURIComponent(request.nextUrl.pathname.slice('/status/'.length));
  headers.set('x-upwatch-found', String(await isPublicStatusPage(slug)));
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', value);
  return response;
}

/** The pages alone: feeds, badge, logo and JSON have a policy of their own that allows nothing. */
export const config = { matcher: '/status/:slug' };
