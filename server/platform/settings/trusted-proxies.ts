import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/** Named ranges (RFC 1122, section 3.2.1.3; RFC 1918; RFC 4193). */
const NAMED = new Map([
  ['loopback', ['127.0.0.0/8', '::1/128']],
  ['private', ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7']],
]);

/** Returns the ranges of an item of TRUSTED_PROXIES, in CIDR notation: those of a name, a range, or a single address. Null for anything else. */
export function toRanges(item: string): string[] | null {
  const named = NAMED.get(item);
  if (named) return named;
  const range = toRange(item);
  return range === null ? null : [range];
}

/**
 * Returns a range or a single address in CIDR notation. An IPv4 range in IPv6 notation (`::ffff:10.0.0.0/104`) becomes IPv4. Null for anything else.
 */
export function toRange(item: string): string | null {
  const [address = '', length, ...rest] = item.split('/');
  if (isIP(address) === 0 || address.includes('%') || rest.length > 0) return null;
  const parsed = ipaddr.parse(address);
  const bits = parsed.kind() === 'ipv4' ? 32 : 128;
  if (length !== undefined && !/^(0|[1-9]\d{0,2})$/.test(length)) return null;
  const prefix = length === undefined ? bits : Number(length);
  if (prefix > bits) return null;
  const plain = ipaddr.process(address);
  if (plain.kind() === parsed.kind()) return `${plain}/${prefix}`;
  return prefix < 96 ? null : `${plain}/${prefix - 96}`;
}
