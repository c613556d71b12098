import { env } from '@/server/platform/env';
import { handleRest } from './rest/handle';

const tokenIn = (request: Request) => new URL(request.url).pathname.split('/')[3] ?? '';

/** Answers a browser at the List-Unsubscribe URL of a summary: redirects to a page that asks for confirmation. */
export function askToUnsubscribe(request: Request): Response {
  return new Response(null, {
    status: 303,
    headers: { location: `${env.appUrl}/unsubscribe/${tokenIn(request)}`, 'cache-control': 'no-store' },
  });
}

/** Answers a mail program's one-click request to the same URL (RFC 8058), a form without a cookie, through the REST operation. */
export function unsubscribeByMailProgram(request: Request): Promise<Response> {
  const headers = new Headers();
  for (const name of ['x-request-id', 'x-upwatch-address', 'user-agent']) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  return handleRest(
    new Request(new URL(`/auth/weekly-summary/${tokenIn(request)}`, request.url), { method: 'POST', headers }),
  );
}
