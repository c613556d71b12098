import { lookup } from 'node:dns/promises';
import { env } from '@/server/platform/env';
import { FairPool } from '@/server/platform/fair-pool';
import type { Patience } from '../deadline';
import type { Family, ResolvedAddress } from './types';
import { until } from './until';

/** Limits concurrent lookups, because they use Node's pool of four threads, which files and password hashes need too. */
const slots = new FairPool({ kind: 'resolve-local', slots: 2 });

const isLocal = (name: string) => !name.includes('.') || name.endsWith('.local');

/**
 * Resolves a name by the system, which may know names that the name servers do not: by multicast DNS (RFC 6762), or other sources of getaddrinfo.
 * Only for names without a dot or under .local, and only if private targets are allowed. Null otherwise, or if the system does not know the name.
 */
export async function lookUpLocally(
  name: string,
  { family, teamId, by }: { family: Family; teamId: string; by: Patience },
): Promise<ResolvedAddress[] | null> {
  if (!env.allowPrivateTargets || !isLocal(name)) return null;
  const release = await by.waitForUs(() => slots.enter({ team: teamId, host: name }, by.signal));
  const found = lookup(name, { all: true, family, order: 'verbatim' }).then(
    (all) => all.map((each): ResolvedAddress => ({ address: each.address, family: each.family === 4 ? 4 : 6 })),
    () => null,
  );
  void found.finally(release);
  return until(found, by.signal);
}
