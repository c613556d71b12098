import { harmlessHeader } from '@/server/monitor-types/config/headers';
import { TargetFailure } from '@/server/monitor-types/probing/attempt';
import { canParseUrl } from '@/server/platform/schema';

/** A request as sent. Header names are in lower case. */
export interface HttpRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | null;
  /** The headers that contain values of variables, which may be secrets. */
  filled?: ReadonlySet<string>;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

export function isRedirect(statusCode: number, location: string | undefined): location is string {
  return REDIRECTS.has(statusCode) && location !== undefined && location !== '';
}

/**
 * Returns an address for the text of a result, without query and fragment. A redirect often carries the query of the monitor's own URL, which may
 * contain a secret, while results are shown to viewers and sent in notifications.
 */
export function shownAddress(location: string): string {
  return location.replace(/[?#].*/s, '?…').slice(0, 200);
}

function withoutBody({ headers, ...request }: HttpRequest, method: string): HttpRequest {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('content-'));
  return { ...request, headers: Object.fromEntries(kept), method, body: null };
}

/**
 * Returns the request with the method for the redirect (RFC 9110 §15.4): 303 requires a GET; after 301 and 302 a POST becomes a GET, as in all
 * clients.
 */
function withMethod(request: HttpRequest, statusCode: number): HttpRequest {
  const { method } = request;
  if (statusCode === 303 && method !== 'GET' && method !== 'HEAD') return withoutBody(request, 'GET');
  if ((statusCode === 301 || statusCode === 302) && method === 'POST') return withoutBody(request, 'GET');
  return request;
}

/**
 * Returns the request after a redirect. Sends neither credentials nor the body, which may contain secrets too, to another origin; a redirect back to
 * the first origin does not restore them.
 * @throws TargetFailure if the target is no http or https address
 */
export function followRedirect(request: HttpRequest, statusCode: number, location: string): HttpRequest {
  const shown = shownAddress(location);
  if (!canParseUrl(location, request.url)) throw new TargetFailure(`Redirected to "${shown}", which is no address`);
  const url = new URL(location, request.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TargetFailure(`Redirected to "${shown}", which is not an http:// or https:// address`);
  }
  const next = { ...withMethod(request, statusCode), url };
  if (url.origin === request.url.origin) return next;
  const isShared = (name: string) => harmlessHeader.test(name) && name !== 'content-type' && !request.filled?.has(name);
  const headers = Object.entries(next.headers).filter(([name]) => isShared(name));
  return { ...next, headers: Object.fromEntries(headers), body: null };
}
