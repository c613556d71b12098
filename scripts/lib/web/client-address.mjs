// @ts-check
import ipaddr from 'ipaddr.js';

/** @typedef {import('ipaddr.js').IPv4 | import('ipaddr.js').IPv6} Address */

/**
 * Parses an address from a socket or a proxy, IPv4 behind `::ffff:` as IPv4; null if it is invalid. Proxies write `192.0.2.1`, `192.0.2.1:8080`,
 * `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:8080`, also in quotes.
 * @param {string} text
 * @returns {Address | null}
 */
function read(text) {
  const bare = text.trim().replace(/^"(.*)"$/, '$1');
  const [, inBrackets, beforePort] = /^\[([^\]]*)\](?::\d{1,5})?$|^([\d.]+):\d{1,5}$/.exec(bare) ?? [];
  const address = inBrackets ?? beforePort ?? bare;
  const isAddress = ipaddr.IPv4.isValidFourPartDecimal(address) || (address.includes(':') && ipaddr.isValid(address));
  return isAddress ? ipaddr.process(address) : null;
}

/**
 * Whether an address is in one of the ranges.
 * @param {readonly string[]} ranges in CIDR notation
 * @returns {(address: Address) => boolean}
 */
function within(ranges) {
  const parsed = ranges.map((range) => ipaddr.parseCIDR(range));
  return (address) => parsed.some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits));
}

/**
 * Returns the function that tells whether a peer is a trusted proxy.
 * @param {readonly string[]} trusted ranges in CIDR notation
 * @returns {(peer: string) => boolean}
 */
export function trustedPeers(trusted) {
  const isTrusted = within(trusted);
  return (peer) => {
    const address = read(peer);
    return address !== null && isTrusted(address);
  };
}

/**
 * Returns the function that determines the client address. A peer outside of `trusted` is the client, whatever its headers contain. For a trusted
 * proxy, `X-Forwarded-For` is read from the right, because each proxy appends: the first untrusted address is the client. Addresses left of it may be
 * forged.
 * @param {readonly string[]} trusted ranges in CIDR notation
 * @returns {(peer: string | undefined, forwardedFor: string | undefined) => string} empty if the peer has disconnected
 */
export function callers(trusted) {
  const isTrusted = within(trusted);
  return (peer, forwardedFor) => {
    let nearest = read(peer ?? '');
    if (!nearest) return peer ?? '';
    for (const hop of (forwardedFor ?? '').split(',').reverse()) {
      if (!isTrusted(nearest)) break;
      const address = read(hop);
      // "unknown", an obfuscated identifier (RFC 7239 §6.3) or nothing. All clients behind it count as the last known address.
      if (!address) break;
      nearest = address;
    }
    return nearest.toString();
  };
}
