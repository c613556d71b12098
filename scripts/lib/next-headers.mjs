// @ts-check
import { parseAndValidateFlightRouterState } from 'next/dist/server/app-render/parse-and-validate-flight-router-state.js';

/** What Next's own client sends with a request for a page (its RSC protocol), and the values that Next accepts. */
const ROUTER_HEADERS = {
  rsc: (/** @type {string} */ value) => value === '1',
  'next-router-state-tree': isStateTree,
  'next-router-prefetch': (/** @type {string} */ value) => value === '1',
  'next-router-segment-prefetch': (/** @type {string} */ value) => /^\/[\x21-\x7e]*$/.test(value),
  'next-url': (/** @type {string} */ value) => /^\/[\x21-\x7e]*$/.test(value),
};

/** Headers of Next's hosts, of its processes among each other, and of features that this application does not use. */
const INTERNAL = /^(?:rsc$|next-|x-next|x-middleware-|x-invoke-|x-now-|x-matched-path$|x-prerender-|x-action-)/;

/** Next answers 500 where its own parser throws. @param {string} value */
function isStateTree(value) {
  try {
    parseAndValidateFlightRouterState(value);
    return true;
  } catch {
    return false;
  }
}

/**
 * Takes Next's headers from a request, but for those of its client on a page. Where one of these has a value that its client
 * never sends, all of them go, so that the page is answered as to any other caller.
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
