// @ts-check

/** The methods that Next passes on; it rejects others with an empty body. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
/** Documents of a public status page may be read by scripts of other origins. */
const STATUS_METHODS = ['GET', 'HEAD', 'OPTIONS'];
/** For a file, Next answers 500 to any other method. */
const PAGE_METHODS = ['GET', 'HEAD'];
const CODES = { VALIDATION_ERROR: 400, NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405 };

/**
 * Returns the error envelope for requests that never reach the application.
 * @param {string} code
 * @param {string} message
 * @param {number} status
 */
export function envelope(code, message, status) {
  const issues = code === 'VALIDATION_ERROR' && { issues: [{ path: '', message }] };
  return JSON.stringify({ error: { code, message, status, ...issues } });
}

/**
 * Returns the path and query of a request's target, as Next reads it. Removes the origin of the absolute form (RFC 9112 §3.2.2); null for any other
 * form.
 * @param {string} url
 */
export function toPath(url) {
  if (url.startsWith('/')) return url;
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return pathname.startsWith('/') ? pathname + search : null;
}

/**
 * Whether a path is UTF-8 under its percent-encoding (RFC 3986). Next answers 500 otherwise.
 * @param {string} path
 */
function isDecodable(path) {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Next's work grows with the square of the number of parameters: seconds for as many as fit into a header. */
const MOST_PARAMETERS = 100;

/** @param {string} query */
const hasManyParameters = (query) => query.split('&', MOST_PARAMETERS + 1).length > MOST_PARAMETERS;

/**
 * Whether a target contains NUL (docs/decisions/0004), in its path or in the query of a page. Operations validate NUL in their own input, and the
 * page of an invitation explains invalid links.
 * @param {string} path
 * @param {string} query
 */
const hasNul = (path, query) =>
  (/%00/.test(path) && !path.startsWith('/invite/')) || (isPage(path) && /%00/.test(query));

/**
 * Whether a path would be a REST path without its extra slashes. Next would redirect it, which scripts do not expect. Excludes `/dashboard/`, which
 * users type.
 * @param {string} path
 */
function isStray(path) {
  const isRest = /^[/\\]+(api|auth|admin|dashboard)([/\\]|$)/.test(path);
  return isRest && path !== '/dashboard/' && (/[/\\]{2}|\\/.test(path) || path.endsWith('/'));
}

/**
 * Whether a path is a page or a file instead of an API address. `/dashboard` alone leads to a page.
 * @param {string} path
 */
export function isPage(path) {
  return path === '/dashboard' || !/^\/(?:api|auth|admin|dashboard)(?:\/|$)/.test(decodeURIComponent(path));
}

/** @param {string} path */
function methodsOf(path) {
  if (!isPage(path)) return METHODS;
  return path.startsWith('/status/') ? STATUS_METHODS : PAGE_METHODS;
}

/** More than browsers and proxies send. Next copies each of them several times. */
const MOST_HEADERS = 200;

/**
 * Returns the error in a request's headers as a sentence, or null: too many, or a Host that RFC 9112 §3.2 does not allow. Only HTTP/1.0 may omit it.
 * @param {Pick<import('node:http').IncomingMessage, 'httpVersion' | 'rawHeaders'>} request
 */
export function headerFault({ httpVersion, rawHeaders }) {
  if (rawHeaders.length > 2 * MOST_HEADERS) return `The request has more than ${MOST_HEADERS} headers.`;
  const hosts = rawHeaders.filter((_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'host');
  const [host] = hosts;
  if (host === undefined) return httpVersion === '1.0' ? null : 'The Host header is missing.';
  if (hosts.length > 1) return 'There is more than one Host header.';
  // A host that all URL parsers read alike: a name, an IPv4 address or an IPv6 address in brackets, with an optional port.
  const isHost = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i.test(host) && URL.canParse(`http://${host}`);
  return isHost ? null : 'The Host header is not a host.';
}

/**
 * Returns the response to a request that is not passed to Next, as status, headers and body; null if it is.
 * @param {string} method
 * @param {string | null} url the request's target, from `toPath`
 * @param {string | null} [fault] another error of the request, as a sentence
 * @returns {{ status: number, headers: Record<string, string>, body: string } | null}
 */
export function refusalOf(method, url, fault = null) {
  const [path = '', ...rest] = (url ?? '').split('?');
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    ...(/^\/+api\/+v1(\/|$)/.test(path) && {
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'x-request-id',
    }),
  };
  const because = (/** @type {keyof typeof CODES} */ code, /** @type {string} */ message, more = {}) => ({
    status: CODES[code],
    headers: { ...headers, ...more },
    body: envelope(code, message, CODES[code]),
  });
  const notAllowed = (/** @type {string[]} */ methods, /** @type {string} */ where) => {
    const allow = methods.join(', ');
    return because('METHOD_NOT_ALLOWED', `This ${where} accepts ${allow}.`, { allow });
  };
  if (!METHODS.includes(method)) return notAllowed(METHODS, 'server');
  if (fault !== null) return because('VALIDATION_ERROR', fault);
  if (url === null) return because('VALIDATION_ERROR', 'The target of the request is not a path.');
  if (!isDecodable(path)) return because('VALIDATION_ERROR', 'The path is not valid percent-encoding.');
  if (hasManyParameters(rest.join('?'))) {
    return because('VALIDATION_ERROR', `The query may have at most ${MOST_PARAMETERS} parameters.`);
  }
  if (hasNul(path, rest.join('?'))) return because('VALIDATION_ERROR', 'The URL contains a NUL character (%00).');
  if (isStray(path)) return because('NOT_FOUND', 'There is nothing at this URL: it has an extra slash.');
  const methods = methodsOf(path);
  return methods.includes(method) ? null : notAllowed(methods, 'URL');
}
