import { isIP } from 'node:net';
import { isPublicAddress } from '../address';

/** Names of internal networks: RFC 6761, 6762 (with appendix G), 8375, and .internal. */
const INSIDE = /(^|\.)(localhost|local|internal|intranet|private|corp|home|lan|home\.arpa)$/;

/** Returns the labels of a name below `top`, nearest first, up to the first one that `isPart` does not match; empty if the name is not below it. */
function zoneLabels(name: string, top: string, isPart: RegExp): string[] {
  if (!name.endsWith(`.${top}`)) return [];
  const labels = name
    .slice(0, -top.length - 1)
    .split('.')
    .reverse();
  const end = labels.findIndex((label) => !isPart.test(label));
  return end < 0 ? labels : labels.slice(0, end);
}

/** Returns the first address of a reverse name's zone (RFC 1035 §3.5, RFC 3596 §2.5); null for any other name. */
function reverseAddress(name: string): string | null {
  const four = zoneLabels(name, 'in-addr.arpa', /^\d{1,3}$/);
  if (four.length > 0) return [...four, '0', '0', '0'].slice(0, 4).join('.');
  const six = zoneLabels(name, 'ip6.arpa', /^[0-9a-f]$/);
  if (six.length === 0) return null;
  return (six.join('').slice(0, 32).padEnd(32, '0').match(/.{4}/g) ?? []).join(':');
}

/** Returns a name without its trailing dot, in lower case. */
const bare = (name: string) => name.replace(/\.$/, '').toLowerCase();

/** Whether a name is internal: a single label, a special-use name, or the reverse name of a non-public address. */
export function isInternalName(name: string): boolean {
  const host = bare(name);
  if (isIP(host) !== 0) return !isPublicAddress(host);
  const reversed = reverseAddress(host);
  if (reversed !== null) return !isPublicAddress(reversed);
  return !host.includes('.') || INSIDE.test(host);
}

/** Whether a name is in one of these domains. */
export function isUnder(name: string, domains: string[]): boolean {
  const host = bare(name);
  return domains.some((domain) => host === domain || host.endsWith(`.${domain}`));
}
