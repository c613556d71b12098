import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { env } from './env';
import { type Prisma, PrismaClient } from './generated/prisma/client';
import { log } from './log';
import { StatementNames } from './statement-names';
import { watchConnection } from './watch-connection';

/** A transaction's client: what a verb that must run inside its caller's transaction takes. */
export type Tx = Prisma.TransactionClient;
/** The client, or a transaction of it. */
export type Db = PrismaClient | Tx;

/**
 * What every connection to the database is opened with. The session's zone is UTC, because the driver adapter reads
 * and writes `timestamptz` as if it were.
 */
export function connectionConfig(max: number) {
  if (!env.databaseUrl) throw new Error('DATABASE_URL is not set: start Upwatch with "npm start".');
  return {
    connectionString: env.databaseUrl,
    options: '-c TimeZone=UTC',
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

function createPool(): pg.Pool {
  const config = connectionConfig(10);
  const pool = new pg.Pool({ ...config, onConnect: (client) => watchConnection(client, config) });
  pool.on('error', (error) => log.warn({ err: error }, 'A pooled database connection broke'));
  return pool;
}

/** The connections that Prisma and `readRows` share. */
function connections(): pg.Pool {
  kept.upwatchPool ??= createPool();
  return kept.upwatchPool;
}

function createClient(): PrismaClient {
  const adapter = new PrismaPg(connections(), {
    disposeExternalPool: true,
    statementNameGenerator: ({ sql }) => nameStatement(sql),
    onConnectionError: (error) => log.warn({ err: error }, 'A database connection broke'),
  });
  return new PrismaClient({ adapter, transactionOptions: { maxWait: 10_000, timeout: 20_000 } });
}

/** The process's one Prisma client. Connects on first use. */
export const db: PrismaClient = new Proxy({} as PrismaClient, {
  get(_target, property) {
    kept.upwatchDb ??= createClient();
    const value = Reflect.get(kept.upwatchDb, property, kept.upwatchDb);
    return typeof value === 'function' ? value.bind(kept.upwatchDb) : value;
  },
});

/**
 * Reads rows for what every request does, in a third of the time `$queryRaw` takes: outside a transaction the statement goes
 * straight to the connections. Columns are text, booleans, `int4`, arrays of text, or JSON: those come alike on
 * both ways.
 */
export async function readRows<Row>(from: Db, sql: Prisma.Sql): Promise<Row[]> {
  if (from !== db) return from.$queryRaw<Row[]>(sql);
  const { text, values } = sql;
  const { rows } = await connections().query<Row & pg.QueryResultRow>({ name: nameStatement(text), text, values });
  return rows;
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

/** Whether something failed because its team is gone: deleted after the request's caller was recognised. */
export function isTeamGone(error: unknown): boolean {
  if (failureOf(error, 'P2025')?.meta?.modelName === 'Team') return true;
  const violation = failureOf(error, 'P2003');
  return violation !== null && constraintOf(violation).includes('_team_id_fkey');
}
