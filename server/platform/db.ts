import { PrismaPg } from '@prisma/adapter-pg';
import { applicationName } from './database/application-name';
import { inTransaction } from './database/connection-share';
import { Connections } from './database/connections';
import { DatabaseClient } from './database/database-client';
import { HeldTransaction, heldTransaction } from './database/held-transaction';
import { StatementNames } from './database/statement-names';
import { env } from './env';
import { type Prisma, PrismaClient } from './generated/prisma/client';
import { log } from './log';

/** A transaction's client, for verbs that must run in their caller's transaction. */
export type Tx = Prisma.TransactionClient;
/** The client, or a transaction. */
export type Db = PrismaClient | Tx;

/**
 * Returns the options of every connection to the database. Call `watchConnection` on a connection before using it.
 * @param max the size of the pool
 */
export function connectionConfig(max: number) {
  if (!env.databaseUrl) throw new Error('DATABASE_URL is not set: start Upwatch with "npm start".');
  return {
    Client: DatabaseClient,
    connectionString: env.databaseUrl,
    application_name: applicationName,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  };
}

/**
 * Shared by the whole process. Development reloads modules, and Next loads them once for pages and once for route handlers: all copies share the
 * connections, so they must share the names of prepared statements.
 */
const kept = globalThis as typeof globalThis & {
  upwatchDb?: PrismaClient;
  upwatchPool?: Connections;
  upwatchStatements?: StatementNames;
};

function nameStatement(sql: string): string {
  kept.upwatchStatements ??= new StatementNames();
  return kept.upwatchStatements.nameOf(sql);
}

/** Returns Prisma's connections. */
function connections(): Connections {
  kept.upwatchPool ??= new Connections(connectionConfig(10));
  return kept.upwatchPool;
}

/** The number of Prisma's connections that are in use and idle, and of callers that wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
}

/** Returns the current connection usage of this process. */
export function poolUse(): PoolUse {
  const { totalCount, idleCount, callersWaiting } = connections();
  return { used: totalCount - idleCount, idle: idleCount, waiting: callersWaiting };
}

function createClient(): PrismaClient {
  const adapter = new PrismaPg(connections(), {
    disposeExternalPool: true,
    statementNameGenerator: ({ sql }) => nameStatement(sql),
    onConnectionError: (error) => log.warn({ err: error }, 'A database connection broke'),
  });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 20_000 } });
}

function client(): PrismaClient {
  kept.upwatchDb ??= createClient();
  return kept.upwatchDb;
}

type Work = (tx: Tx) => Promise<unknown>;
type Begin = (work: Work | unknown[], options?: object) => Promise<unknown>;

/** Wraps `begin`, so that statements of a transaction do not wait for a connection slot, because they already hold one. */
const holding =
  (begin: Begin): Begin =>
  (work, options) =>
    begin(typeof work === 'function' ? (tx) => inTransaction(() => work(tx)) : work, options);

/** The Prisma client of this process. Connects on first use. In a request with a held transaction, it delegates to that transaction. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get(_target, property) {
    const held = heldTransaction();
    if (held && property === '$transaction') return holding(held.join.bind(held) as Begin);
    const from = held?.db ?? client();
    const value = Reflect.get(from, property, from);
    if (typeof value !== 'function') return value;
    return property === '$transaction' ? holding(value.bind(from)) : value.bind(from);
  },
});

/**
 * Creates a transaction that a request holds until its response is known.
 * @see HeldTransaction
 */
export function holdTransaction(keepInterim: HeldTransaction['keepInterim']): HeldTransaction {
  return new HeldTransaction(client(), keepInterim);
}

/** Whether a statement on `from` is its own transaction. */
export function isAutocommit(from: Db): boolean {
  return from === db && heldTransaction()?.isOpen !== true;
}

interface PrismaFailure {
  code: unknown;
  meta?: { modelName?: unknown; driverAdapterError?: { cause?: { constraint?: unknown } } };
}

/** Returns the error if it is Prisma's with this code, or null. */
function failureOf(error: unknown, code: string): PrismaFailure | null {
  if (typeof error !== 'object' || error === null || !('code' in error) || error.code !== code) return null;
  return error as PrismaFailure;
}

function constraintOf({ meta }: PrismaFailure): string {
  const constraint = meta?.driverAdapterError?.cause?.constraint;
  if (typeof constraint === 'string') return constraint;
  if (typeof constraint === 'object' && constraint !== null) return JSON.stringify(constraint);
  return 'unknown';
}

/** Returns the violated unique constraint (for example `users_email_key`), or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const violation = failureOf(error, 'P2002');
  return violation && constraintOf(violation);
}

/** SQLSTATE classes of invalid data: data exceptions, violated constraints, size limits. */
const DATA_ERROR = /^(22|23|54)/;

/**
 * Whether an error is caused by the data, so that a retry fails again: the database rejected it, or it could not be serialized. Everything else (no
 * connection, no disk, a deadlock) is transient.
 */
export function isDataError(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  if (!(error instanceof Error)) return false;
  if (error.name === 'PrismaClientValidationError') return true;
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  return DATA_ERROR.test(String(meta?.driverAdapterError?.cause?.originalCode ?? ''));
}

/** Whether a statement waited too long for a lock (lock_not_available). @see limitLockWait */
export function isLockTimeout(error: unknown): boolean {
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  return meta?.driverAdapterError?.cause?.originalCode === '55P03';
}

/** Whether something failed because its team was deleted after the caller was authenticated. */
export function isTeamGone(error: unknown): boolean {
  if (failureOf(error, 'P2025')?.meta?.modelName === 'Team') return true;
  const violation = failureOf(error, 'P2003');
  return violation !== null && constraintOf(violation).includes('_team_id_fkey');
}
