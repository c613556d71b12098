import { env } from '@/server/platform/env';
import { handleRest } from './rest/handle';

const tokenIn = (request: Request) => new URL(request.url).pathname.split('/')[3] ?? '';

/** The List-Unsubscribe address of a summary, opened by a person: the page that asks. */
export function askToUnsubscribe(request: Request): Response {
  return new Response(null, {
    status: 303,
    headers: { location: `${env.appUrl}/unsubscribe/${tokenIn(request)}`, 'cache-control': 'no-store' },
  });
}

/** A mail program's one-click request to that address (RFC 8058): a form without a cookie, which the REST operation answers. */
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
