import { randomBytes } from 'node:crypto';
import { type NextRequest, NextResponse } from 'next/server';
import { pagePolicy } from '@/server/api/page-policy';

/** Gives every page's answer a policy with a nonce; Next finds it in the request and marks its scripts. */
export function proxy(request: NextRequest): NextResponse {
  const value = pagePolicy(randomBytes(16).toString('base64'));
  const headers = new Headers(request.headers);
  headers.set('content-security-policy', value);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', value);
  return response;
}

/** Pages alone, known or not: not the interfaces and files. */
export const config = {
  matcher: '/((?!(?:api|auth|dashboard|admin)(?:/|$)|_next/|icon\\.svg$|push-worker\\.js$).*)',
};
