import { isIP } from 'node:net';
import { env } from '../env';
import { canParseUrl } from '../schema';
import { isPublicAddress } from './address';
import { BlockedTargetError, InvalidTargetError } from './errors';

const NOT_IN_A_HOST = /[\s/\\?#@:%]/;

/**
 * Returns the canonical form of a host: without brackets and trailing dot, lower case, international names in Punycode, and every notation of an IPv4
 * address ("0x7f.1", "2130706433", "127.1") as four decimal parts, as in the WHATWG URL standard.
 * @throws InvalidTargetError for an invalid host
 */
export function normalizeHost(host: string): string {
  const bare = host.startsWith('[') && host.endsWith(']') ? host.slice(1, -1) : host;
  const invalid = () => new InvalidTargetError('The address is not a valid host name');
  if (isIP(bare) === 6) {
    // A zone ("fe80::1%eth0") is kept: only link-local addresses have one.
    return bare.includes('%') ? bare.toLowerCase() : new URL(`http://[${bare}]`).hostname.slice(1, -1);
  }
  if (NOT_IN_A_HOST.test(bare) || !canParseUrl(`http://${bare}/`)) throw invalid();
  const name = new URL(`http://${bare}/`).hostname.replace(/\.$/, '');
  if (name === '' || name.length > 253 || name.split('.').some((label) => label === '' || label.length > 63))
    throw invalid();
  return name;
}

/**
 * Verifies that a host is not blocked already without resolving it: as a literal address that is not public, or a name under `localhost` (RFC 6761).
 * Other names are verified when they are resolved.
 * @throws BlockedTargetError, InvalidTargetError
 */
export function assertAllowedHost(host: string): void {
  const name = normalizeHost(host);
  if (env.allowPrivateTargets) return;
  const isLocal = name === 'localhost' || name.endsWith('.localhost');
  if (isLocal || (isIP(name) !== 0 && !isPublicAddress(name))) throw new BlockedTargetError(host);
}

/**
 * Verifies that a resolved address is public, unless private targets are allowed.
 * @throws BlockedTargetError
 */
export function assertAllowedAddress(address: string, host: string): void {
  if (!env.allowPrivateTargets && !isPublicAddress(address)) throw new BlockedTargetError(host);
}

/**
 * Verifies that a port is a whole number from 1 to 65535.
 * @throws InvalidTargetError
 */
export function assertPort(port: number): void {
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new InvalidTargetError('The port must be from 1 to 65535');
}

/** Whether a URL's `hostname` is this machine: `localhost` and its subdomains (RFC 6761), or a loopback address. */
export function isLoopbackHost(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\]|\[::ffff:7f[\da-f]{2}:[\da-f]{1,4}\])$/.test(hostname);
}
