import { ADDRCONFIG } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { DnsError } from './errors';
import { assertAllowedAddress, assertAllowedHost, normalizeHost } from './host';

export interface ResolvedAddress {
  address: string;
  family: 4 | 6;
}

export interface ResolveOptions {
  /** 4 or 6 for addresses of that family alone; 0, the default, for both. */
  family?: 0 | 4 | 6;
  signal?: AbortSignal | undefined;
}

function toDnsError(error: unknown, family: number): DnsError {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'ENOTFOUND';
  if (code === 'EAI_AGAIN') return new DnsError(code, 'The name server did not answer', { cause: error });
  const over = family === 0 ? '' : ` over IPv${family}`;
  return new DnsError(code, `The address did not resolve${over}`, { cause: error });
}

/** Waits for `work`, but no longer than until `signal`. */
async function until<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  signal.throwIfAborted();
  let stop = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/**
 * The addresses of a host, in the system resolver's order (`/etc/hosts` counts). A literal address is its own answer. Every address
 * is checked: one that may not be connected to refuses the host. Connect to what this returns, never to the name again.
 * Throws `BlockedTargetError`, `InvalidTargetError`, `DnsError` or the signal's reason.
 */
export async function resolveTarget(host: string, options: ResolveOptions = {}): Promise<ResolvedAddress[]> {
  const { family = 0, signal } = options;
  const name = normalizeHost(host);
  assertAllowedHost(name);
  const literal = isIP(name);
  if (literal !== 0) {
    if (family !== 0 && family !== literal)
      throw new DnsError('ENOTFOUND', `The address is not an IPv${family} address`);
    return [{ address: name, family: literal === 4 ? 4 : 6 }];
  }
  // ADDRCONFIG, which node's own connections use as well, leaves out families that this machine has no address in.
  const hints = family === 0 ? ADDRCONFIG : 0;
  const found = await until(
    lookup(name, { all: true, family, hints, order: 'verbatim' }).catch((error: unknown) => {
      throw toDnsError(error, family);
    }),
    signal,
  );
  for (const { address } of found) assertAllowedAddress(address, host);
  if (found.length === 0) throw toDnsError(null, family);
  return found.map(({ address }) => ({ address, family: isIP(address) === 4 ? 4 : 6 }));
}
