// @ts-check
import ipaddr from 'ipaddr.js';

/** @typedef {import('ipaddr.js').IPv4 | import('ipaddr.js').IPv6} Address */

/**
 * An address as a socket or a proxy writes it, IPv4 behind `::ffff:` as IPv4; null where it is none. Proxies write
 * `192.0.2.1`, `192.0.2.1:8080`, `2001:db8::1`, `[2001:db8::1]` and `[2001:db8::1]:8080`, in quotes too.
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
 * Whether an address is in one of these ranges.
 * @param {readonly string[]} ranges in CIDR notation
 * @returns {(address: Address) => boolean}
 */
function within(ranges) {
  const parsed = ranges.map((range) => ipaddr.parseCIDR(range));
  return (address) => parsed.some(([net, bits]) => net.kind() === address.kind() && address.match(net, bits));
}

/**
 * Makes the function that says who a caller is. A connection from elsewhere than `trusted` is the caller's own, whatever it
 * says. A trusted proxy is believed about whom it was asked by (`X-Forwarded-For`, each proxy adding at the end): read
 * from the right, the first that is no trusted proxy is the caller. What lies to the left of it anybody may have written.
 * @param {readonly string[]} trusted ranges in CIDR notation
 * @returns {(peer: string | undefined, forwardedFor: string | undefined) => string} empty where the peer is gone
 */
export function callers(trusted) {
  const isTrusted = within(trusted);
  return (peer, forwardedFor) => {
    let nearest = read(peer ?? '');
    if (!nearest) return peer ?? '';
    for (const hop of (forwardedFor ?? '').split(',').reverse()) {
      if (!isTrusted(nearest)) break;
      const address = read(hop);
      // "unknown", a made-up name (RFC 7239, section 6.3) or nothing: the last that is known stands for all behind it.
      if (!address) break;
      nearest = address;
    }
    return nearest.toString();
  };
}
