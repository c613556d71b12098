import { TargetFailure } from './attempt';

/** A request as it goes out. Header names are in lower case. */
export interface HttpRequest {
  url: URL;
  method: string;
  headers: Record<string, string>;
  body: string | null;
}

const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/** What may follow to another origin. Any other header of a monitor may carry a credential, whatever its name. */
const HARMLESS = new Set([
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-type',
  'user-agent',
]);

export function isRedirect(statusCode: number, location: string | undefined): location is string {
  return REDIRECTS.has(statusCode) && location !== undefined && location !== '';
}

function withoutBody({ headers, ...request }: HttpRequest, method: string): HttpRequest {
  const kept = Object.entries(headers).filter(([name]) => !name.startsWith('content-'));
  return { ...request, headers: Object.fromEntries(kept), method, body: null };
}

/** RFC 9110 §15.4: 303 asks to GET the result; after 301 and 302 a POST becomes a GET, as it is everywhere. */
function withMethod(request: HttpRequest, statusCode: number): HttpRequest {
  const { method } = request;
  if (statusCode === 303 && method !== 'GET' && method !== 'HEAD') return withoutBody(request, 'GET');
  if ((statusCode === 301 || statusCode === 302) && method === 'POST') return withoutBody(request, 'GET');
  return request;
}

/**
 * The request a redirect leads to. To another origin no credentials follow, and they do not come back on the way.
 * @throws TargetFailure where the target is no http or https address
 */
export function followRedirect(request: HttpRequest, statusCode: number, location: string): HttpRequest {
  const shown = location.slice(0, 200);
  if (!URL.canParse(location, request.url)) throw new TargetFailure(`Redirected to "${shown}", which is no address`);
  const url = new URL(location, request.url);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TargetFailure(`Redirected to "${shown}", which is not an http:// or https:// address`);
  }
  const next = { ...withMethod(request, statusCode), url };
  if (url.origin === request.url.origin) return next;
  const headers = Object.entries(next.headers).filter(([name]) => HARMLESS.has(name));
  return { ...next, headers: Object.fromEntries(headers) };
}
