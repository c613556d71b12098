// @ts-check

/** @typedef {import('node:http').IncomingMessage} IncomingMessage */
/** @typedef {import('node:http').ServerResponse} ServerResponse */

/** The maximum number of unanswered requests of a connection. Programs that pipeline send a few; a packet can contain thousands. */
const MOST_UNANSWERED = 20;

/**
 * Returns the function that closes connections with many unanswered requests (pipelining, RFC 9112 §9.3.2), and tells whether it closed one: all
 * requests that arrive together are begun in one turn of the event loop.
 * @returns {(request: IncomingMessage, response: ServerResponse) => boolean}
 */
export function pipeliningLimit(most = MOST_UNANSWERED) {
  /** @type {WeakMap<import('node:net').Socket, number>} */
  const unanswered = new WeakMap();
  return ({ socket }, response) => {
    if (socket.destroyed) return true;
    const count = (unanswered.get(socket) ?? 0) + 1;
    unanswered.set(socket, count);
    if (count > most) {
      socket.destroy();
      return true;
    }
    response.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
    return false;
  };
}

/** Bodies have chunks of kilobytes; a program that writes line by line has some hundred a second. */
const CHUNKS = { perMinute: 300_000, burst: 10_000 };

/**
 * Returns the function that closes the connection of a chunked body (RFC 9112 §7.1) if the bodies of its network have too many chunks: of one byte,
 * ten thousand of them arrive in one packet, and each takes as long as a large one.
 * @param {{ TokenBuckets: typeof import('../../../server/platform/token-buckets').TokenBuckets, networkOf: (address: string) => string }} front
 * @returns {(request: IncomingMessage) => void}
 */
export function chunkLimit({ TokenBuckets, networkOf }, { perMinute, burst } = CHUNKS) {
  const buckets = new TokenBuckets(perMinute, burst);
  return (request) => {
    if (request.headers['transfer-encoding'] === undefined) return;
    const network = networkOf(String(request.headers['x-upwatch-address']));
    const { push } = request;
    request.push = (chunk, ...rest) => {
      if (request.destroyed) return false;
      if (chunk === null || buckets.take(network) === 0) return push.call(request, chunk, ...rest);
      request.destroy();
      return false;
    };
  };
}
