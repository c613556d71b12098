// @ts-check
import { callers } from './client-address.mjs';

/** What proxies say of a request (RFC 7239, and what came before it). Next and next-auth would believe it from anyone. */
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
 * Makes the function that gives a request the headers the application goes by, and takes from it what came under their names
 * from outside: its id, the caller's address, its path, whether a proxy handed it on, and the scheme that people see.
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
    // HTTP/1.0 may leave it out; next-auth would make the host "undefined" of it.
    headers.host ??= host;
    headers['x-request-id'] = id;
    headers['x-upwatch-address'] = callerOf(socket.remoteAddress, forwardedFor);
    headers['x-upwatch-forwarded'] = String(isForwarded);
    // A layout cannot know its path; it is where whoever is not signed in comes back to.
    headers['x-upwatch-path'] = request.url;
    // next-auth makes its own address of it; this server speaks plain HTTP, and at APP_URL something before it may not.
    headers['x-forwarded-proto'] = headers.host === host ? protocol.slice(0, -1) : 'http';
  };
}
