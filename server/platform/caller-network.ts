import ipaddr from 'ipaddr.js';
import { keyedHash } from './crypto';

/** Buckets per family of addresses. Enough that two busy networks rarely meet, few enough to keep a counter for each. */
const BUCKETS = 16_384;

/** Bits of a prefix, by family. */
interface Prefix {
  ipv4: number;
  ipv6: number;
}

/**
 * What one subscriber controls at least: an IPv4 address, and a /64 of IPv6 addresses, within which a host changes its
 * address at will (RFC 8981). A shorter prefix would make neighbours pay for each other.
 */
const SUBSCRIBER: Prefix = { ipv4: 32, ipv6: 64 };

/**
 * What one organisation or attacker controls without effort: a /24, and a /48, which is what sites are given (RFC 6177).
 * For limits that no caller with a valid token can run into.
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

/** The network of a subscriber: an IPv4 address, or the /64 of an IPv6 one. */
export function networkOf(address: string): string {
  return prefixOf(address, SUBSCRIBER);
}

/** The network of a site: the /24 of an IPv4 address, or the /48 of an IPv6 one. */
export function siteOf(address: string): string {
  return prefixOf(address, SITE);
}

/**
 * One of a fixed number of counters for something that strangers choose, so that no number of addresses or names makes
 * more of them. Which ones share a counter depends on APP_SECRET: nobody can aim at another's.
 */
export function bucketOf(text: string): number {
  return keyedHash(text).readUInt32BE() % BUCKETS;
}

/** The counter of a network. Those of IPv4 and IPv6 are apart: addresses of the second kind cost nothing. */
export function networkBucketOf(network: string): string {
  return `${network.includes(':') ? 6 : 4}:${bucketOf(network)}`;
}
