import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { DiagnoseMigrationHistoryOutput } from '@prisma/schema-engine-wasm/schema_engine_bg';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { NO_FILTER, withSchemaEngine } from './schema-engine';

/** Any number will do, as long as nothing else in the database locks the same. */
const LOCK = 823_471_106;
const TRY_EVERY_MS = 200;
/** Who waits says so after the first second, and then twice a minute. */
const SAY_AFTER_MS = 1_000;
const SAY_EVERY_MS = 30_000;
const MIGRATIONS = resolve('prisma/migrations');

const FOREIGN =
  'it holds tables of another program. Create an empty database for Upwatch, and have DATABASE_URL lead there.';

/** Where the database is, or why it cannot be used; one line, fit to be shown. */
export class MigrationError extends Error {}

interface Options {
  /** Told of each migration that was applied. */
  log?: (line: string) => void;
  /** Told what the migration waits for, again and again while it does. */
  onWait?: (line: string) => void;
  /** The folder with one folder for each migration; `prisma/migrations` of the working directory unless told. */
  directory?: string;
}

/**
 * Brings a database to the present schema: the product's own migrations, then the job queue's. It may be called by
 * several processes at once; one does the work and the others wait for it.
 *
 * @returns the names of the product's migrations that were applied now
 * @throws MigrationError where the database cannot be reached, or a migration fails (which then changed nothing)
 */
export async function migrate(
  databaseUrl: string,
  { log, onWait = () => undefined, directory = MIGRATIONS }: Options = {},
): Promise<string[]> {
  const name = `upwatch-migrate ${hostname()}`.slice(0, 63);
  const client = new pg.Client({
    connectionString: databaseUrl,
    connectionTimeoutMillis: 10_000,
    application_name: name,
  });
  // A lost connection fails the query that waits on it; without a listener it would end the process as well.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    throw new MigrationError(`The database cannot be reached: ${reason(error)}`, { cause: error });
  }
  try {
    await lock(client, onWait);
    const applied = await applyOwn(databaseUrl, directory);
    for (const name of applied) log?.(name);
    await runMigrations({ connectionString: databaseUrl, logger: new Logger(() => () => undefined) });
    return applied;
  } catch (error) {
    throw new MigrationError(`The database could not be migrated: ${reason(error)}`, { cause: error });
  } finally {
    await client.end();
  }
}

/**
 * Takes the lock for as long as the connection's transaction is open. A transaction ends with its connection even behind
 * a pooler, so that a lock is never left behind.
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

/** Who has the lock, and how to take it away where that one migrates nothing. */
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

async function applyOwn(databaseUrl: string, directory: string): Promise<string[]> {
  const migrationsList = await listMigrations(directory);
  return withSchemaEngine(databaseUrl, async (engine) => {
    // A script runs in one transaction, so one that was cut short has left nothing and may simply run again.
    const history = { migrationsList, optInToShadowDatabase: false, filters: NO_FILTER };
    const diagnosis = await engine.diagnoseMigrationHistory(history);
    for (const migrationName of diagnosis.failedMigrationNames) await engine.markMigrationRolledBack({ migrationName });
    assertKnown(diagnosis);
    const { appliedMigrationNames } = await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    return appliedMigrationNames;
  });
}

/** Refuses a database that has been through migrations which are not ours, or not yet. */
function assertKnown({ history, failedMigrationNames }: DiagnoseMigrationHistoryOutput): void {
  if (!history || history.diagnostic === 'databaseIsBehind') return;
  const unknown = history.unpersistedMigrationNames.filter((name) => !failedMigrationNames.includes(name));
  if (unknown.length === 0) return;
  if (history.diagnostic === 'historiesDiverge' && history.lastCommonMigrationName === null) throw new Error(FOREIGN);
  throw new Error(
    `a newer Upwatch has brought it to ${unknown.at(-1)}, which this one does not know. Start that one, or put back a backup.`,
  );
}

/** The migrations of a folder, in the order of their names. */
async function listMigrations(directory: string) {
  const entries = await readdir(directory, { withFileTypes: true });
  const names = entries
    .filter((entry) => entry.isDirectory() && /^\d{14}_/.test(entry.name))
    .map((entry) => entry.name);
  const migrationDirectories = await Promise.all(
    names.sort().map(async (name) => ({
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
  // The engine goes on with where in its own code it was.
  const own = message.replace(/\n\s*0: [\s\S]*$/, '');
  return own.trim().split('\n').join(' ');
}
