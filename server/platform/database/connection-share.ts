import { AsyncLocalStorage } from 'node:async_hooks';
import type { Share } from '../fair-pool';

/** Whose work runs, and the transaction that it runs in. */
interface Work {
  share: Share;
  /** Set while a transaction of this work holds a connection. */
  transaction: { isOpen: boolean } | null;
  /** Whether this work may use a connection beside those that teams share. */
  isUnqueued: boolean;
}

const kept = globalThis as typeof globalThis & { upwatchWork?: AsyncLocalStorage<Work> };
// Next loads modules once for pages and once for route handlers; both use the same connections.
kept.upwatchWork ??= new AsyncLocalStorage<Work>();
const current = kept.upwatchWork;

/** The process's own work, such as claiming and recording checks: one share of its own, which no team's work can take. */
const OWN: Work = { share: { team: 'process' }, transaction: null, isUnqueued: false };

/** Runs `work` with a changed context. Prisma starts a statement only when something awaits it, so it is awaited here, inside the context. */
function run<T>(change: Partial<Work>, work: () => Promise<T>): Promise<T> {
  return current.run({ ...(current.getStore() ?? OWN), ...change }, async () => await work());
}

/** Runs `work`; the database connections that it takes count as `share`. */
export function withShare<T>(share: Share, work: () => Promise<T>): Promise<T> {
  return run({ share }, work);
}

/**
 * Runs `work`, which a transaction of the same request depends on, such as renewing its lease: it takes a connection without waiting for a slot. The
 * pool has a connection more than slots for this.
 */
export function unqueued<T>(work: () => Promise<T>): Promise<T> {
  return run({ isUnqueued: true }, work);
}

/** Runs the body of a transaction, which holds a connection until `work` is done. */
export async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true };
  try {
    return await run({ transaction }, work);
  } finally {
    // What started here and goes on, such as a timer, no longer belongs to the transaction.
    transaction.isOpen = false;
  }
}

/** The share that a new connection counts as; null if it must not wait for a slot, because its caller holds a connection already. */
export function shareOfConnection(): Share | null {
  const { share, transaction, isUnqueued } = current.getStore() ?? OWN;
  return transaction?.isOpen || isUnqueued ? null : share;
}
