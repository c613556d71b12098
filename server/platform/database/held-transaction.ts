import { AsyncLocalStorage } from 'node:async_hooks';
import type { Prisma, PrismaClient } from '../generated/prisma/client';
import { log } from '../log';

type Tx = Prisma.TransactionClient;
interface Options {
  maxWait?: number;
  timeout?: number;
}
interface Open {
  tx: Tx;
  end: (how: 'commit' | 'roll back') => Promise<void>;
}

/** Thrown to roll back a held transaction; never leaves this file. */
class RolledBack extends Error {}

const kept = globalThis as typeof globalThis & { upwatchHeld?: AsyncLocalStorage<HeldTransaction> };
// Next loads modules once for pages and once for route handlers; both must find the same store.
kept.upwatchHeld ??= new AsyncLocalStorage<HeldTransaction>();
const current = kept.upwatchHeld;

/** Returns the held transaction of this request, which may not be open yet; null if the request has none, or it has ended. */
export function heldTransaction(): HeldTransaction | null {
  const held = current.getStore();
  return held && !held.isOver ? held : null;
}

/** Runs `work` outside of the request's held transaction, so that its changes are committed separately. */
export function unheld<T>(work: () => T): T {
  return current.exit(work);
}

/** Runs `work` once the request's changes are committed; at once without a held transaction. */
export async function afterCommit(work: () => Promise<void>): Promise<void> {
  const held = heldTransaction();
  if (held) held.after.push(work);
  else await work();
}

/**
 * Commits the request's changes before something that no transaction can hold, such as network I/O. Stores `answer` with them: the response to a
 * repeated request if this process dies before it has the final one. Does nothing without a held transaction.
 */
export async function commitBefore(answer: unknown): Promise<void> {
  const held = heldTransaction();
  if (held) await held.commit((tx) => held.keepInterim(tx, answer));
}

/**
 * One transaction for all changes of a request. It stays open until the response is known, so that changes and response are committed together. It
 * starts with the request's first `db.$transaction`; from then on `db` reads and writes through it. A later `db.$transaction` is a savepoint. Calls
 * of `db.$transaction` in one request are sequential.
 */
export class HeldTransaction {
  isOver = false;
  readonly after: (() => Promise<void>)[] = [];
  private open: Open | null = null;
  private savepoints = 0;

  /** `keepInterim` writes the response given to `commitBefore`. */
  constructor(
    private readonly client: PrismaClient,
    readonly keepInterim: (tx: Tx, answer: unknown) => Promise<void>,
  ) {}

  get isOpen(): boolean {
    return this.open !== null;
  }

  /** The client that `db` currently delegates to. */
  get db(): PrismaClient | Tx {
    return this.open?.tx ?? this.client;
  }

  /** Runs `work` with `db` bound to this transaction. */
  during<T>(work: () => Promise<T>): Promise<T> {
    return current.run(this, work);
  }

  /** Runs `db.$transaction` of a request that holds this transaction: starts the transaction if it is not open, and runs `work` in a savepoint. */
  async join<T>(work: (tx: Tx) => Promise<T>, options?: Options): Promise<T> {
    this.open ??= await this.begin(options);
    const { tx } = this.open;
    this.savepoints += 1;
    const savepoint = `joined_${this.savepoints}`;
    // Raw: Prisma has no savepoints.
    await tx.$executeRawUnsafe(`savepoint ${savepoint}`);
    try {
      return await work(tx);
    } catch (error) {
      // A broken connection cannot roll back, and its transaction has ended anyway; the first error is reported.
      await tx.$executeRawUnsafe(`rollback to savepoint ${savepoint}`).catch(() => undefined);
      throw error;
    }
  }

  /**
   * Commits the request's changes with the writes of `last`, then runs the work of `afterCommit`. If the request changed nothing, `last` writes
   * without a transaction. The transaction is over afterwards.
   */
  async commit(last: (tx: Tx) => Promise<void>): Promise<void> {
    const { open } = this;
    if (open) {
      try {
        await last(open.tx);
      } catch (error) {
        await this.rollBack();
        throw error;
      }
    }
    this.isOver = true;
    this.open = null;
    if (open) await open.end('commit');
    else await last(this.client);
    for (const work of this.after.splice(0)) {
      // The change and its response are committed, so a later failure must not contradict them.
      await work().catch((error) => log.warn({ err: error }, 'Work after a commit failed'));
    }
  }

  /** Rolls back the request's changes and releases the transaction. */
  async rollBack(): Promise<void> {
    this.isOver = true;
    this.after.length = 0;
    await this.open?.end('roll back');
    this.open = null;
  }

  private begin(options?: Options): Promise<Open> {
    return new Promise((resolve, reject) => {
      const ended = this.client
        .$transaction(
          (tx) =>
            new Promise<void>((commit, rollBack) => {
              const end: Open['end'] = (how) => {
                if (how === 'commit') commit();
                else rollBack(new RolledBack());
                return ended;
              };
              resolve({ tx, end });
            }),
          options,
        )
        .catch((error: unknown) => {
          if (!(error instanceof RolledBack)) throw error;
        });
      ended.catch(reject);
    });
  }
}
