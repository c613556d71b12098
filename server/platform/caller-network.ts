import ipaddr from 'ipaddr.js';
import { keyedHash } from './crypto';

/** Buckets per address family: enough that two busy networks rarely share one, few enough to store a counter for each. */
const BUCKETS = 16_384;

/** The length of a network prefix in bits, by address family. */
interface Prefix {
  ipv4: number;
  ipv6: number;
}

/**
 * The minimum network of one subscriber: an IPv4 address, and an IPv6 /64, within which a host changes its address at will (RFC 8981). A shorter
 * prefix would let neighbours affect each other.
 */
const SUBSCRIBER: Prefix = { ipv4: 32, ipv6: 64 };

/**
 * A network that one organization or attacker easily controls: an IPv4 /24, and an IPv6 /48, which sites are assigned (RFC 6177). For limits that
 * never affect a caller with a valid token.
 */
const SITE: Prefix = { ipv4: 24, ipv6: 48 };

function prefixOf(address: string, bits: Prefix): string {
  if (!ipaddr.isValid(address)) return 'unknown';
  const parsed = ipaddr.process(address);
  const length = parsed.kind() === 'ipv4' ? bits.ipv4 : bits.ipv6;
  const mask = parsed
    .toByteArray()
    .map((byte, index) => byte & (0xff00 >> Math.min(8, Math.max(0, length - index * 8))));
  const network = ipaddr.fromByteArray(mask).toString();
  return length === mask.length * 8 ? network : `${network}/${length}`;
}

/** Returns the network of a subscriber: an IPv4 address, or the /64 of an IPv6 one. "unknown" for an invalid address. */
export function networkOf(address: string): string {
  return prefixOf(address, SUBSCRIBER);
}

/** Returns the network of a site: the /24 of an IPv4 address, or the /48 of an IPv6 one. "unknown" for an invalid address. */
export function siteOf(address: string): string {
  return prefixOf(address, SITE);
}

/**
 * Maps a value that anonymous clients choose to one of a fixed number of counters, so that many addresses or names do not create more counters. The
 * assignment depends on APP_SECRET, so that nobody can share another client's counter on purpose.
 */
export function bucketOf(text: string): number {
  return keyedHash(text).readUInt32BE() % BUCKETS;
}

/** Returns the counter of a network. IPv4 and IPv6 have separate ones, because IPv6 addresses cost nothing. */
export function networkBucketOf(network: string): string {
  return `${network.includes(':') ? 6 : 4}:${bucketOf(network)}`;
}
