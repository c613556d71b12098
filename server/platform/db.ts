import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { Connections } from './database/connections';
import { HeldTransaction, heldTransaction } from './database/held-transaction';
import { StatementNames } from './database/statement-names';
import { env } from './env';
import { type Prisma, PrismaClient } from './generated/prisma/client';
import { log } from './log';

/** A transaction's client: what a verb that must run inside its caller's transaction takes. */
export type Tx = Prisma.TransactionClient;
/** The client, or a transaction of it. */
export type Db = PrismaClient | Tx;

/** What every connection to the database is opened with. Whoever opens one calls `watchConnection` before using it. */
export function connectionConfig(max: number) {
  if (!env.databaseUrl) throw new Error('DATABASE_URL is not set: start Upwatch with "npm start".');
  return {
    connectionString: env.databaseUrl,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
  };
}

/**
 * Kept for the whole process. Development reloads modules, and Next loads them once for pages and once for route handlers:
 * they share the connections, so they must share what the statements prepared on these are called.
 */
const kept = globalThis as typeof globalThis & {
  upwatchDb?: PrismaClient;
  upwatchPool?: pg.Pool;
  upwatchStatements?: StatementNames;
};

function nameStatement(sql: string): string {
  kept.upwatchStatements ??= new StatementNames();
  return kept.upwatchStatements.nameOf(sql);
}

/** Prisma's connections. */
function connections(): pg.Pool {
  kept.upwatchPool ??= new Connections(connectionConfig(10));
  return kept.upwatchPool;
}

/** Prisma's connections: how many are in use or idle, and how many callers wait for one. */
export interface PoolUse {
  used: number;
  idle: number;
  waiting: number;
}

/** How this process uses its connections now. */
export function poolUse(): PoolUse {
  const { totalCount, idleCount, waitingCount } = connections();
  return { used: totalCount - idleCount, idle: idleCount, waiting: waitingCount };
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

/** The process's one Prisma client. Connects on first use. In a request that holds a transaction it stands for that one. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get(_target, property) {
    const held = heldTransaction();
    if (held && property === '$transaction') return held.join.bind(held);
    const from = held?.db ?? client();
    const value = Reflect.get(from, property, from);
    return typeof value === 'function' ? value.bind(from) : value;
  },
});

/** A transaction for a request to hold until its answer is known. @see HeldTransaction */
export function holdTransaction(keepInterim: HeldTransaction['keepInterim']): HeldTransaction {
  return new HeldTransaction(client(), keepInterim);
}

/** Whether a statement given to `from` is a transaction of its own. */
export function isAutocommit(from: Db): boolean {
  return from === db && heldTransaction()?.isOpen !== true;
}

interface PrismaFailure {
  code: unknown;
  meta?: { modelName?: unknown; driverAdapterError?: { cause?: { constraint?: unknown } } };
}

/** Prisma's error with this code, or null. */
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

/** The constraint a unique violation broke (for example `users_email_key`), or null for any other error. */
export function violatedConstraint(error: unknown): string | null {
  const violation = failureOf(error, 'P2002');
  return violation && constraintOf(violation);
}

/** SQLSTATE classes of what is wrong with the data itself: data exceptions, broken constraints, limits of a value's size. */
const DATA_ERROR = /^(22|23|54)/;

/**
 * Whether an error speaks of what was to be written, so that writing it again fails again: the database refused the data, or
 * it could not even be put into a statement. Everything else (no connection, no disk, a deadlock) may pass.
 */
export function isDataError(error: unknown): boolean {
  if (error instanceof RangeError || error instanceof TypeError) return true;
  if (!(error instanceof Error)) return false;
  if (error.name === 'PrismaClientValidationError') return true;
  const { meta } = error as { meta?: { driverAdapterError?: { cause?: { originalCode?: unknown } } } };
  return DATA_ERROR.test(String(meta?.driverAdapterError?.cause?.originalCode ?? ''));
}

/** Whether something failed because its team is gone: deleted after the request's caller was recognised. */
export function isTeamGone(error: unknown): boolean {
  if (failureOf(error, 'P2025')?.meta?.modelName === 'Team') return true;
  const violation = failureOf(error, 'P2003');
  return violation !== null && constraintOf(violation).includes('_team_id_fkey');
}
