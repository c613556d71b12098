import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Addresses in public ranges that only machines of a cloud reach: Azure's wire server. */
const CLOUD_INTERNAL = new Set(['168.63.129.16']);
/** The global unicast space that IANA has assigned (RFC 4291, section 2.4). */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** NAT64: the well-known prefix of RFC 6052 with an IPv4 address in its last 32 bits. */
const NAT64 = ipaddr.IPv6.parseCIDR('64:ff9b::/96');
/** 6to4 (RFC 3056) has an IPv4 address after its first 16 bits. */
const SIX_TO_FOUR = ipaddr.IPv6.parseCIDR('2002::/16');
/** Teredo (RFC 4380) has the server's IPv4 address after its first 32 bits, and the client's, inverted, at its end. */
const TEREDO = ipaddr.IPv6.parseCIDR('2001::/32');

const isGlobalIPv4 = (ip: ipaddr.IPv4) => ip.range() === 'unicast' && !CLOUD_INTERNAL.has(ip.toString());

/** Returns the IPv4 address that an IPv6 address contains from byte `start` on, with each byte XORed with `mask`. */
function embedded(bytes: number[], start: number, mask = 0): ipaddr.IPv4 {
  return new ipaddr.IPv4(bytes.slice(start, start + 4).map((byte) => byte ^ mask));
}

function isGlobalIPv6(ip: ipaddr.IPv6): boolean {
  if (ip.isIPv4MappedAddress()) return isGlobalIPv4(ip.toIPv4Address());
  const bytes = ip.toByteArray();
  if (ip.match(NAT64)) return isGlobalIPv4(embedded(bytes, 12));
  if (ip.match(SIX_TO_FOUR)) return isGlobalIPv4(embedded(bytes, 2));
  if (ip.match(TEREDO)) return isGlobalIPv4(embedded(bytes, 4)) && isGlobalIPv4(embedded(bytes, 12, 0xff));
  return ip.match(GLOBAL_IPV6) && ip.range() === 'unicast';
}

/** Whether an IP address is in one of these ranges in CIDR notation. Text that is no address is in none. */
export function isWithin(address: string, ranges: readonly string[]): boolean {
  if (!ipaddr.isValid(address)) return false;
  const ip = ipaddr.process(address);
  return ranges.some((range) => {
    const [net, bits] = ipaddr.parseCIDR(range);
    return net.kind() === ip.kind() && ip.match(net, bits);
  });
}

/**
 * Whether an IP address is on the public internet. Loopback, private, link-local, shared, multicast, reserved and metadata addresses are not, nor is
 * an IPv6 address that embeds such an IPv4 address, nor invalid text.
 */
export function isPublicAddress(address: string): boolean {
  if (ipaddr.IPv4.isValidFourPartDecimal(address)) return isGlobalIPv4(ipaddr.IPv4.parse(address));
  // ipaddr.js reads "::8.8.8.8" as "::ffff:8.8.8.8"; without a dotted part there is no ambiguity.
  if (isIP(address) === 6 && address.includes('.'))
    return isPublicAddress(new URL(`http://[${address}]`).hostname.slice(1, -1));
  if (ipaddr.IPv6.isValid(address)) return isGlobalIPv6(ipaddr.IPv6.parse(address));
  return false;
}
