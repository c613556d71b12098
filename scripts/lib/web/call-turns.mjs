// @ts-check
import { inTurn } from './in-turn.mjs';
import { envelope, isPage } from './refusals.mjs';

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */

/** Set by `watchRequests`. */
const shared = /** @type {import('../../../server/platform/request-facts').Shared} */ (globalThis);

/** The time after which the rest of a body waits for its sender. */
const SLOW_BODY_MS = 1_000;

/**
 * Whether a path is an address of the API, whose answer takes time.
 * @param {string} path
 */
export const isCall = (path) => !isPage(path);

/**
 * Answers a request that the gate rejects, as the application would: the protocol of the dashboard wraps the error envelope.
 * @param {IncomingMessage} request
 * @param {ServerResponse} response
 * @param {import('../../../server/platform/errors').AppError} refusal
 */
function refuse({ method, url = '' }, response, { code, message, limit, retryAfterSeconds = 1 }) {
  const status = code === 'RATE_LIMITED' ? 429 : 503;
  const text = envelope(code, message, status);
  const isOfDashboard = url.startsWith('/api/trpc/');
  const body = isOfDashboard ? JSON.stringify({ error: { message, code: -32_600, data: JSON.parse(text) } }) : text;
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'retry-after': String(retryAfterSeconds),
    ...(limit !== undefined && {
      'ratelimit-limit': String(limit),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(retryAfterSeconds),
    }),
    ...(url.startsWith('/api/v1/') && {
      'access-control-allow-origin': '*',
      'access-control-expose-headers':
        'x-request-id, retry-after, ratelimit-limit, ratelimit-remaining, ratelimit-reset',
    }),
  });
  response.end(method === 'HEAD' ? undefined : body);
}

/**
 * Closes the connection if too many bodies are arriving slowly, which the process keeps in its memory until they are complete.
 * @param {import('../../../server/api/call-gate').CallGate} gate
 * @param {IncomingMessage} request
 */
function limitBody(gate, request) {
  setTimeout(() => {
    if (request.complete || request.destroyed) return;
    const free = gate.tryBody(request);
    if (!free) return void request.destroy();
    request.once('close', free);
  }, SLOW_BODY_MS);
}

/**
 * Returns the function that answers a call when it is its turn, or answers 429 or 503. A call leaves when its answer begins, because a live stream
 * never ends, and an answer that has begun is complete.
 * @param {import('../../../server/api/call-gate').CallGate} gate
 */
export function callTurns(gate) {
  return inTurn(gate, refuse, (request, response, leave) => {
    if (!request.complete) limitBody(gate, request);
    const { writeHead } = response;
    response.writeHead = /** @type {typeof writeHead} */ (
      (/** @type {Parameters<typeof writeHead>} */ ...head) => {
        leave();
        const facts = shared.upwatchRequests?.get(String(request.headers['x-request-id']));
        if (facts) gate.note(request, facts);
        return Reflect.apply(writeHead, response, head);
      }
    );
  });
}
