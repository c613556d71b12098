import type { LookupFunction } from 'node:net';
import type { ResolvedAddress } from './dns/types';

/**
 * Several addresses are tried alternating between families (RFC 8305), with this delay. Node's default of 250 ms gives up on a distant server for
 * good if the next address cannot be reached.
 */
export const tryingInTurn = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 };

/** Options of `net.connect`, besides host and port, that connect to checked addresses without resolving the name again. */
export function connectionTo(addresses: ResolvedAddress[]) {
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
  return { ...tryingInTurn, lookup };
}
