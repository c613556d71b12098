import type { LookupFunction } from 'node:net';
import type { ResolvedAddress } from './dns/types';

/**
 * Several addresses are tried one family after the other (RFC 8305), each for this long before the next. Node's 250 ms gives up
 * on a distant server for good where the next address cannot be reached.
 */
export const tryingInTurn = { autoSelectFamily: true, autoSelectFamilyAttemptTimeout: 1_000 };

/** What `net.connect` takes beside a host and a port to connect to addresses that were checked, whatever the name says by now. */
export function connectionTo(addresses: ResolvedAddress[]) {
  const lookup: LookupFunction = (_hostname, { all }, callback) => {
    const [first] = addresses;
    if (all) callback(null, addresses);
    else callback(null, first?.address ?? '', first?.family);
  };
  return { ...tryingInTurn, lookup };
}
