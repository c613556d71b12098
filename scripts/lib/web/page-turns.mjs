// @ts-check
import { inTurn } from './in-turn.mjs';
import { noticePage } from './notice-page.mjs';
import { envelope, isPage } from './refusals.mjs';

/** @typedef {import('../../../server/platform/errors').AppError} AppError */

/** Files, which cost little, and status pages, which are rendered once for all readers. */
const CHEAP = /^\/(?:_next\/static|status)\//;
/** Next removes dot segments, so a path with one may be any page. */
const DOT_SEGMENT = /[/\\](?:\.|%2e){1,2}(?:[/\\]|$)/i;

/**
 * Whether a path is a page that is rendered for this request.
 * @param {string} path
 * @param {ReadonlySet<string>} files the paths of public files
 */
export const isRendered = (path, files) =>
  DOT_SEGMENT.test(path) || (isPage(path) && !CHEAP.test(path) && !files.has(path));

/**
 * Answers a page request that the gate rejects: with a page if the browser opens one, otherwise with the error envelope, after which Next's client
 * opens the page.
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 * @param {AppError} refusal
 */
function refuse({ method, headers }, response, { code, message, limit, retryAfterSeconds = 0 }) {
  const isLimited = code === 'RATE_LIMITED';
  const isForPerson = headers.rsc === undefined && (headers.accept ?? '').includes('text/html');
  const seconds = retryAfterSeconds;
  const title = isLimited ? 'Too many requests' : 'Upwatch is busy';
  const cause = isLimited ? 'Your network has requested too many pages.' : 'Too many pages are being requested.';
  const text = `${cause} Monitoring is not affected. This page tries again in ${seconds} s.`;
  const status = isLimited ? 429 : 503;
  const body = isForPerson ? noticePage({ title, text, seconds }) : envelope(code, message, status);
  response.writeHead(status, {
    'content-type': isForPerson ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    vary: 'accept, rsc',
    'retry-after': String(seconds),
    ...(limit !== undefined && {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(seconds),
    }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/**
 * Returns the function that renders a page when the gate admits it, or answers 429 or 503.
 * @param {import('../../../server/api/page-gate').PageGate} gate
 */
export const pageTurns = (gate) => inTurn(gate, refuse);
