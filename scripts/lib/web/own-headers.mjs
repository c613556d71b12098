// @ts-check
import { callers } from './client-address.mjs';

/** Proxy headers (RFC 7239 and its predecessors). Next and next-auth would trust them from any client. */
const FORWARDED = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-proto',
  'x-forwarded-server',
  'x-real-ip',
];

/**
 * Returns the function that sets the internal headers of a request and removes forged ones: request ID, client address, path, whether a trusted proxy
 * forwarded it, and the public scheme.
 * @param {{ trustedProxies: readonly string[], appUrl: string }} settings
 */
export function ownHeaders({ trustedProxies, appUrl }) {
  const callerOf = callers(trustedProxies);
  const { host, protocol } = new URL(appUrl);
  return (/** @type {import('node:http').IncomingMessage} */ request, /** @type {string} */ id) => {
    const { headers, socket } = request;
    const forwardedFor = /** @type {string | undefined} */ (headers['x-forwarded-for']);
    const isForwarded = FORWARDED.some((name) => headers[name] !== undefined);
    for (const name of Object.keys(headers)) {
      if (FORWARDED.includes(name) || name.startsWith('x-upwatch-')) delete headers[name];
    }
    // HTTP/1.0 may omit it; next-auth would use "undefined" as the host.
    headers.host ??= host;
    headers['x-request-id'] = id;
    headers['x-upwatch-address'] = callerOf(socket.remoteAddress, forwardedFor);
    headers['x-upwatch-forwarded'] = String(isForwarded);
    // A layout cannot read its path, which the sign-in page returns to.
    headers['x-upwatch-path'] = request.url;
    // next-auth derives its own URL from it; this server uses plain HTTP, while a proxy at APP_URL may not.
    headers['x-forwarded-proto'] = headers.host === host ? protocol.slice(0, -1) : 'http';
  };
}
