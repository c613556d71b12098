import type { LookupFunction } from 'node:net';
import { resolveTarget } from './resolve';

/**
 * How long one address of several gets before the next is tried (RFC 8305). Node's 250 ms gives up on a distant server
 * for good where the next address cannot be reached.
 */
const ATTEMPT_TIMEOUT_MS = 1_000;

/**
 * Drop-in for the `lookup` option of `net.connect`, `tls.connect` and `http.request`: the socket connects to the addresses that were checked.
 * Node does not call it for a literal address: call `assertAllowedHost` before connecting.
 */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  const family =
    options.family === 4 || options.family === 'IPv4' ? 4 : options.family === 6 || options.family === 'IPv6' ? 6 : 0;
  resolveTarget(hostname, { family }).then(
    (addresses) => {
      const first = addresses[0];
      if (options.all) callback(null, addresses);
      else callback(null, first?.address ?? '', first?.family);
    },
    (error: unknown) => callback(error as Error, []),
  );
};

/** What every outgoing connection is opened with, beside its host and port. */
export const guardedConnection = {
  lookup: guardedLookup,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: ATTEMPT_TIMEOUT_MS,
};
