import { isIP } from 'node:net';
import { env } from '../env';
import type { Patience } from './deadline';
import { codeOf, DnsFailure, isAnswer } from './dns/dns-failure';
import { isInternalName } from './dns/internal-name';
import { lookUpLocally } from './dns/local-names';
import { names } from './dns/names';
import type { Family, ResolvedAddress } from './dns/types';
import { BlockedTargetError, DnsError, NameServersError, NetworkTimeoutError } from './errors';
import { assertAllowedAddress, assertAllowedHost, normalizeHost } from './host';

/** The caller of name resolution. */
export interface Asker {
  /** The team whose share of the resolver it uses. */
  teamId: string;
  /** The limits of the caller, whose clock is paused while it waits for a slot. */
  by: Patience;
  /** Skips the cache: a recheck must see changes. */
  fresh?: boolean;
}

export interface ResolveOptions extends Asker {
  /** 4 or 6 for addresses of that family only; 0, the default, for both. */
  family?: Family;
}

function wordsFor(code: string, family: Family): string {
  const kind = family === 0 ? '' : ` IPv${family}`;
  switch (code) {
    case 'ENOTFOUND':
      return 'The address did not resolve: the name does not exist (NXDOMAIN)';
    case 'ENODATA':
      return `The address did not resolve: the name has no${kind} address`;
    case 'ESERVFAIL':
      return 'The address did not resolve: the name server failed to resolve it (SERVFAIL)';
    case 'EREFUSED':
      return 'The address did not resolve: the name server refused the query (REFUSED)';
    case 'ENETUNREACH':
      return 'The name has addresses in one IP version only, and this machine has none in it';
    case 'ETIMEOUT':
      return 'The name server did not respond';
    case 'EBADNAME':
      return 'The address did not resolve: it is not a valid DNS name';
    default:
      return 'The address did not resolve: the name server sent an invalid response';
  }
}

/** Errors of this machine, such as no more sockets, are unchanged. */
const OWN = new Set(['EMFILE', 'ENFILE', 'ENOBUFS', 'ENOMEM']);

async function ask(name: string, options: Required<ResolveOptions>): Promise<ResolvedAddress[]> {
  const { family, teamId, by } = options;
  const since = performance.now();
  try {
    return await names.resolve(name, options);
  } catch (error) {
    const isLate = by.signal.aborted;
    if (isLate && !(by.signal.reason instanceof NetworkTimeoutError)) throw by.signal.reason;
    if (OWN.has(codeOf(error))) throw error;
    const local = isAnswer(error) && !isLate ? await lookUpLocally(name, { family, teamId, by }) : null;
    if (local) return local;
    // A query that ran out of time was not answered.
    const failure = isLate ? new DnsFailure('ETIMEOUT') : error;
    if (!isAnswer(failure) && (await names.isOutage(failure, since))) throw new NameServersError({ cause: error });
    // Whether an alias leads to an existing internal name must not be revealed either.
    if (failure instanceof DnsFailure && !env.allowPrivateTargets && failure.names.some(isInternalName))
      throw new BlockedTargetError(name);
    const code = codeOf(failure);
    throw new DnsError(code, wordsFor(code, family), { cause: error });
  }
}

/**
 * Returns the addresses of a host: a literal address as it is, those of a name by this machine's settings (hosts file, name servers, search list).
 * Verifies every address: one blocked address rejects the host, and so does an internal name. Connect to the returned addresses, never to the name.
 * @throws BlockedTargetError, InvalidTargetError, DnsError, or the signal's reason
 */
export async function resolveTarget(host: string, options: ResolveOptions): Promise<ResolvedAddress[]> {
  const { family = 0, fresh = false, teamId, by } = options;
  const name = normalizeHost(host);
  assertAllowedHost(name);
  const literal = isIP(name);
  if (literal !== 0) {
    if (family !== 0 && family !== literal)
      throw new DnsError('ENOTFOUND', `The address is not an IPv${family} address`);
    return [{ address: name, family: literal === 4 ? 4 : 6 }];
  }
  // The addresses of an internal name are blocked, and its existence must not be revealed.
  if (!env.allowPrivateTargets && isInternalName(name)) throw new BlockedTargetError(host);
  by.signal.throwIfAborted();
  const found = await ask(name, { family, fresh, teamId, by });
  for (const { address } of found) assertAllowedAddress(address, host);
  return found;
}
