import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DiagnoseMigrationHistoryOutput } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { ANNOUNCE } from '../server/platform/database/compatibility';
import { DatabaseClient } from '../server/platform/database/database-client';
import { fence } from './fence';
import { NO_FILTER, withSchemaEngine } from './schema-engine';

/** An arbitrary number that nothing else in the database uses as a lock. */
const LOCK = 823_471_106;
const TRY_EVERY_MS = 200;
/** A waiting process reports it after 1 s, and then twice a minute. */
const SAY_AFTER_MS = 1_000;
const SAY_EVERY_MS = 30_000;
const MIGRATIONS = resolve('prisma/migrations');

const FOREIGN =
  'it holds tables of another program. Create an empty database for Upwatch, and have DATABASE_URL lead there.';

/** The database's URL, or why it cannot be used; one displayable line. */
export class MigrationError extends Error {}

interface Options {
  /** Called for each applied migration. */
  log?: (line: string) => void;
  /** Called periodically with the reason for waiting. */
  onWait?: (line: string) => void;
  /** The folder with one folder per migration; by default `prisma/migrations` of the working directory. */
  directory?: string;
  /** Only these of them; by default all. */
  only?: readonly string[];
}

/**
 * Migrates a database to the current schema: the product's own migrations, then the job queue's. Safe to call from several processes at once; one
 * runs the migrations and the others wait.
 * @returns the names of the migrations applied by this call
 * @throws MigrationError if the database cannot be reached, or a migration fails (which then changed nothing)
 */
export async function migrate(
  databaseUrl: string,
  { log, onWait = () => undefined, directory = MIGRATIONS, only }: Options = {},
): Promise<string[]> {
  const name = `upwatch-migrate ${hostname()}`.slice(0, 63);
  const client = new DatabaseClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: name,
  });
  try {
    await client.connect();
  } catch (error) {
    throw new MigrationError(`The database cannot be reached: ${reason(error)}`, { cause: error });
  }
  try {
    await lock(client, onWait);
    const applied = await applyOwn(databaseUrl, directory, only);
    for (const name of applied) log?.(name);
    await applyJobQueue(databaseUrl, name);
    await fence(client);
    await client.query('commit');
    return applied;
  } catch (error) {
    throw new MigrationError(`The database could not be migrated: ${reason(error)}`, { cause: error });
  } finally {
    await client.end();
  }
}

/**
 * Holds the lock while the connection's transaction is open. A transaction ends with its connection even behind a pooler, so the lock is never left
 * behind.
 */
async function lock(client: pg.Client, onWait: (line: string) => void): Promise<void> {
  await client.query('begin');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  const began = Date.now();
  for (let sayAt = began + SAY_AFTER_MS; ; await sleep(TRY_EVERY_MS)) {
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as ours', [
      LOCK,
    ]);
    if (rows[0]?.ours) return;
    if (Date.now() < sayAt) continue;
    sayAt = Date.now() + SAY_EVERY_MS;
    onWait(`Waiting for ${await describeHolder(client)}`);
  }
}

/** The holder of the lock, and how to end it if it is not migrating. */
async function describeHolder(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; address: string | null; seconds: number }>(
    `select holder.pid, coalesce(application_name, '') as name, host(client_addr) as address,
       coalesce(extract(epoch from now() - backend_start), 0)::int as seconds
     from pg_locks holder left join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and classid = 0 and objid = $1 and objsubid = 1
       and holder.database = (select oid from pg_database where datname = current_database())`,
    [LOCK],
  );
  const [holder] = rows;
  if (!holder) return 'another migration of this database';
  const { pid, name, address, seconds } = holder;
  const where = address ? ` from ${address}` : '';
  return `the migration lock, which "${name}"${where} (PID ${pid}, connected for ${seconds} s) holds; if it migrates nothing, end it with: select pg_terminate_backend(${pid})`;
}

async function applyOwn(databaseUrl: string, directory: string, only?: readonly string[]): Promise<string[]> {
  const migrationsList = await listMigrations(directory, only);
  return withSchemaEngine(databaseUrl, async (engine) => {
    // A script runs in one transaction, so an interrupted one has left nothing and can run again.
    const history = { migrationsList, optInToShadowDatabase: false, filters: NO_FILTER };
    const diagnosis = await engine.diagnoseMigrationHistory(history);
    for (const migrationName of diagnosis.failedMigrationNames) await engine.markMigrationRolledBack({ migrationName });
    assertKnown(diagnosis);
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}

async function applyJobQueue(connectionString: string, name: string): Promise<void> {
  const pgPool = new pg.Pool({
    Client: DatabaseClient,
    connectionString,
    application_name: name,
    max: 1,
    onConnect: (client) => client.query(`select ${ANNOUNCE}`).then(() => undefined),
  });
  try {
    await runMigrations({ pgPool, logger: new Logger(() => () => undefined) });
  } finally {
    await pgPool.end();
  }
}

/** Rejects a database with unknown or newer migrations. */
function assertKnown({ history, failedMigrationNames }: DiagnoseMigrationHistoryOutput): void {
  if (!history || history.diagnostic === 'databaseIsBehind') return;
  const unknown = history.unpersistedMigrationNames.filter((name) => !failedMigrationNames.includes(name));
  if (unknown.length === 0) return;
  if (history.diagnostic === 'historiesDiverge' && history.lastCommonMigrationName === null) throw new Error(FOREIGN);
  throw new Error(
    `a newer Upwatch has brought it to ${unknown.at(-1)}, which this one does not know. Start that one, or put back a backup.`,
  );
}

/** The names of the migrations of a folder, oldest first. */
export async function migrationNames(directory: string = MIGRATIONS): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && /^\d{14}_/.test(entry.name))
    .map((entry) => entry.name);
  return names.sort();
}

async function listMigrations(directory: string, only?: readonly string[]) {
  const names = (await migrationNames(directory)).filter((name) => only?.includes(name) ?? true);
  const migrationDirectories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: {
        path: 'migration.sql',
        content: { tag: 'ok' as const, value: await readFile(join(directory, name, 'migration.sql'), 'utf8') },
      },
    })),
  );
  return {
    baseDir: directory,
    lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
    shadowDbInitScript: '',
    migrationDirectories,
  };
}

function reason(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reason(error.errors[0]);
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('The database schema is not empty')) return FOREIGN;
  // The engine appends its own code location.
  const own = message.replace(/\n\s*0: [\s\S]*$/, '');
  return own.trim().split('\n').join(' ');
}
