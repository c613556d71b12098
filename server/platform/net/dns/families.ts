import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

/** Whether this machine has IPv4 and IPv6 addresses, which limits the addresses it can reach. */
export interface Families {
  4: boolean;
  6: boolean;
  /** It has a public IPv6 address, so that IPv6 is tried first (RFC 6724). */
  prefers6: boolean;
  /** It has the IPv6 loopback address. */
  loopback6: boolean;
}

const KNOWN_FOR_MS = 10_000;
const GLOBAL = ipaddr.IPv6.parseCIDR('2000::/3');

function readFamilies(): Families {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  const outer = all.filter(({ internal }) => !internal);
  // A link-local address does not count, because it reaches no named host.
  const six = outer.filter(({ family, address }) => family === 'IPv6' && !/^fe[89ab]/i.test(address));
  const has4 = outer.some(({ family }) => family === 'IPv4');
  // A machine with only a loopback interface resolves the families of that interface.
  const has6 = six.length > 0 || (!has4 && all.some(({ address }) => address === '::1'));
  return {
    4: has4 || six.length === 0,
    6: has6,
    prefers6: six.some(({ address }) => ipaddr.IPv6.parse(address).match(GLOBAL)),
    loopback6: all.some(({ address }) => address === '::1'),
  };
}

let known: { families: Families; until: number } | null = null;

/** Returns the families in which this machine has an address, like getaddrinfo's AI_ADDRCONFIG (RFC 3493 §6.1). */
export function ownFamilies(): Families {
  const now = performance.now();
  if (!known || known.until < now) known = { families: readFamilies(), until: now + KNOWN_FOR_MS };
  return known.families;
}
