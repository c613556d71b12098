// @ts-check

/** What Next passes on; it refuses others with an empty body. */
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
const CODES = { VALIDATION_ERROR: 400, NOT_FOUND: 404, METHOD_NOT_ALLOWED: 405 };

/**
 * The error envelope of what never reaches the application.
 * @param {keyof typeof CODES} code
 * @param {string} message
 * @param {number} [status] where it is not the code's own
 */
export function envelope(code, message, status = CODES[code]) {
  const issues = code === 'VALIDATION_ERROR' && { issues: [{ path: '', message }] };
  return JSON.stringify({ error: { code, message, status, ...issues } });
}

/**
 * A request's target as Next reads it: a path with its query. A proxy's form, a whole URL (RFC 9112 §3.2.2), loses its
 * origin; what is neither is null.
 * @param {string} url
 */
export function toPath(url) {
  if (url.startsWith('/')) return url;
  if (!URL.canParse(url)) return null;
  const { pathname, search } = new URL(url);
  return pathname.startsWith('/') ? pathname + search : null;
}

/**
 * Whether a path is UTF-8 under its percent-encoding (RFC 3986). Next answers 500 where it is not.
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

/**
 * Whether a path would be a REST address but for its slashes: Next redirects it, which no script expects. `/dashboard/`
 * is what a person types.
 * @param {string} path
 */
function isStray(path) {
  const isRest = /^[/\\]+(api|auth|admin|dashboard)([/\\]|$)/.test(path);
  return isRest && path !== '/dashboard/' && (/[/\\]{2}|\\/.test(path) || path.endsWith('/'));
}

/**
 * Why a request does not go to Next, as status, headers and body; null where it does.
 * @param {string} method
 * @param {string | null} url the request's target, by `toPath`
 * @returns {{ status: number, headers: Record<string, string>, body: string } | null}
 */
export function refusalOf(method, url) {
  const [path = ''] = (url ?? '').split('?', 1);
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
    body: envelope(code, message),
  });
  if (!METHODS.includes(method)) {
    const allow = METHODS.join(', ');
    return because('METHOD_NOT_ALLOWED', `This server answers ${allow}.`, { allow });
  }
  if (url === null) return because('VALIDATION_ERROR', 'The target of the request is not a path.');
  if (!isDecodable(path)) return because('VALIDATION_ERROR', 'The path is not valid percent-encoding.');
  if (isStray(path)) return because('NOT_FOUND', 'There is nothing at this address: it has a slash too many.');
  return null;
}
