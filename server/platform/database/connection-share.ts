import { AsyncLocalStorage } from 'node:async_hooks';
import type { Share } from '../fair-pool';

/** The context of running work: whose share it counts to, and its transaction. */
interface Work {
  share: Share;
  /** Set while a transaction of this work holds a connection. */
  transaction: { isOpen: boolean } | null;
  /** Whether this work may use the reserved connection instead of the shared slots. */
  isUnqueued: boolean;
}

const kept = globalThis as typeof globalThis & { upwatchWork?: AsyncLocalStorage<Work> };
// Next loads modules once for pages and once for route handlers; both use the same connections.
kept.upwatchWork ??= new AsyncLocalStorage<Work>();
const current = kept.upwatchWork;

/** The process's own work, such as claiming and recording checks. Its share is separate, so that no team can use it up. */
const OWN: Work = { share: { team: 'process' }, transaction: null, isUnqueued: false };

/** Runs `work` with a changed context. Prisma starts a statement only when something awaits it, so it is awaited here, inside the context. */
function run<T>(change: Partial<Work>, work: () => Promise<T>): Promise<T> {
  return current.run({ ...(current.getStore() ?? OWN), ...change }, async () => await work());
}

/** Runs `work`, whose database connections count to `share`. */
export function withShare<T>(share: Share, work: () => Promise<T>): Promise<T> {
  return run({ share }, work);
}

/**
 * Runs `work` that a transaction of the same request depends on, such as renewing its lease. It takes a connection without waiting for a slot; the
 * pool reserves one for this.
 */
export function unqueued<T>(work: () => Promise<T>): Promise<T> {
  return run({ isUnqueued: true }, work);
}

/** Runs the body of a transaction. Because it already holds a connection, its statements do not wait for a slot until `work` is done. */
export async function inTransaction<T>(work: () => Promise<T>): Promise<T> {
  const transaction = { isOpen: true };
  try {
    return await run({ transaction }, work);
  } finally {
    // Work that was started here and continues, such as a timer, is no longer part of the transaction.
    transaction.isOpen = false;
  }
}

/** Returns the share that a new connection counts to; null if it must not wait for a slot, because its caller already holds a connection. */
export function shareOfConnection(): Share | null {
  const { share, transaction, isUnqueued } = current.getStore() ?? OWN;
  return transaction?.isOpen || isUnqueued ? null : share;
}
