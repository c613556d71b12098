// @ts-check
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';

/** The request headers of Next's own client for a page (its RSC protocol), and the values that Next accepts. */
const ROUTER_HEADERS = {
  rsc: (/** @type {string} */ value) => value === '1',
  'next-router-state-tree': isStateTree,
  'next-router-prefetch': (/** @type {string} */ value) => value === '1',
  'next-router-segment-prefetch': (/** @type {string} */ value) => /^\/[\x21-\x7e]*$/.test(value),
  'next-url': (/** @type {string} */ value) => /^\/[\x21-\x7e]*$/.test(value),
};

/** Headers of Next's hosting platform, of its internal processes, and of features that this application does not use. */
const INTERNAL = /^(?:rsc$|next-|x-next|x-middleware-|x-invoke-|x-now-|x-matched-path$|x-prerender-|x-action-)/;

/** The maximum number of opening brackets in a router state. The deepest page has about 20; Next's work grows with the square of the depth. */
const MOST_BRACKETS = 100;

/** The cookies that the application reads: display settings, and those of sessions and sign-ins. */
const OWN_COOKIE = /^(?:theme|rail|keys|zone|(?:__(?:Host|Secure)-)?(?:upwatch|next-auth)\..*)$/;

/** The maximum number of cookies of a request. A session takes at most five, with its chunks. */
const MOST_COOKIES = 20;

/**
 * Whether Next's own parser accepts a router state. Next answers 500 if it throws.
 * @param {string} value
 */
function isStateTree(value) {
  if (value.split(/\[|%5b/i, MOST_BRACKETS + 2).length > MOST_BRACKETS + 1) return false;
  try {
    parseAndValidateFlightRouterState(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Removes Next's internal headers from a request, except those of its client on a page. Removes these too if one has a value that the client never
 * sends, so that the page is answered as for any other client.
 * @param {import('node:http').IncomingHttpHeaders} headers
 * @param {boolean} isPage
 */
export function dropNextHeaders(headers, isPage) {
  const isSound = Object.entries(ROUTER_HEADERS).every(([name, accepts]) => {
    const value = headers[name];
    return value === undefined || (typeof value === 'string' && accepts(value));
  });
  for (const name of Object.keys(headers)) {
    if (!INTERNAL.test(name)) continue;
    if (!isPage || !isSound || !Object.hasOwn(ROUTER_HEADERS, name)) delete headers[name];
  }
}

/**
 * Removes the cookies of other programs on this host, and all but the first 20: Next copies them for each response of the API, in time quadratic in
 * their number (3 s for 2,500).
 * @param {import('node:http').IncomingHttpHeaders} headers
 */
export function keepOwnCookies(headers) {
  if (headers.cookie === undefined) return;
  const pairs = headers.cookie.split(';').map((pair) => pair.trim());
  const own = pairs.filter((pair) => OWN_COOKIE.test(pair.split('=', 1)[0] ?? ''));
  if (own.length > 0) headers.cookie = own.slice(0, MOST_COOKIES).join('; ');
  else delete headers.cookie;
}
