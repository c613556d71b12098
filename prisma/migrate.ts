import { readdir, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Logger, runMigrations } from 'graphile-worker';
import pg from 'pg';
import { BASELINE, isOfDevelopment, migrationsFor } from '../server/platform/database/baseline';
import { ANNOUNCE } from '../server/platform/database/compatibility';
import { DatabaseClient } from '../server/platform/database/database-client';
import { fence } from './fence';
import { NO_FILTER, SCRIPT_LOCK, type SchemaEngine, withSchemaEngine } from './schema-engine';

/** An arbitrary number that nothing else in the database uses as a lock. */
const LOCK = 823_471_106;
const TRY_EVERY_MS = 200;
/** A waiting process reports it after 1 s, and then twice a minute. */
const SAY_AFTER_MS = 1_000;
const SAY_EVERY_MS = 30_000;
/** How long a script is tried again while a transaction holds the lock of a table that it changes, and the pause between: others use the table then. */
const LOCKED_PATIENCE_MS = 10 * 60_000;
const TRY_LOCKED_EVERY_MS = 2_000;
const MIGRATIONS = resolve('prisma/migrations');
/** The folder in that of the migrations with those that the baseline replaces. */
const DEVELOPMENT = 'development';

/** PostgreSQL's code of a statement that has waited for a lock as long as it may (lock_not_available). */
const LOCKED = '55P03';

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
  /** Only these of them; by default all that the database needs. */
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
    const applied = await applyOwn(client, databaseUrl, { directory, only, onWait });
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
 * behind. PostgreSQL may still run the script of a process that was killed, so this waits for that too.
 */
async function lock(client: pg.Client, onWait: (line: string) => void): Promise<void> {
  // So that what is read after a wait is what the other process has committed.
  await client.query('begin isolation level read committed');
  await client.query('set local idle_in_transaction_session_timeout = 0');
  await untilHeld(client, LOCK, onWait);
  await client.query('savepoint scripts');
  await untilHeld(client, SCRIPT_LOCK, onWait);
  await client.query('rollback to savepoint scripts');
}

async function untilHeld(client: pg.Client, number: number, onWait: (line: string) => void): Promise<void> {
  const began = Date.now();
  for (let sayAt = began + SAY_AFTER_MS; ; await sleep(TRY_EVERY_MS)) {
    const { rows } = await client.query<{ ours: boolean }>('select pg_try_advisory_xact_lock($1::bigint) as ours', [
      number,
    ]);
    if (rows[0]?.ours) return;
    if (Date.now() < sayAt) continue;
    sayAt = Date.now() + SAY_EVERY_MS;
    onWait(`Waiting for ${await describeHolder(client, number)}`);
  }
}

/** The holder of a lock, and how to end it if it is not migrating. */
async function describeHolder(client: pg.Client, number: number): Promise<string> {
  const { rows } = await client.query<{ pid: number; name: string; address: string | null; seconds: number }>(
    `select holder.pid, coalesce(application_name, '') as name, host(client_addr) as address,
       coalesce(extract(epoch from now() - backend_start), 0)::int as seconds
     from pg_locks holder left join pg_stat_activity using (pid)
     where locktype = 'advisory' and granted and classid = 0 and objid = $1 and objsubid = 1
       and holder.database = (select oid from pg_database where datname = current_database())`,
    [number],
  );
  const [holder] = rows;
  if (!holder) return 'another migration of this database';
  const { pid, name, address, seconds } = holder;
  const where = address ? ` from ${address}` : '';
  return `the migration lock, which "${name}"${where} (PID ${pid}, connected for ${seconds} s) holds; if it migrates nothing, end it with: select pg_terminate_backend(${pid})`;
}

interface Applied {
  name: string;
  isDone: boolean;
}

/** The migrations that the database has, oldest first, and those that have failed or were interrupted. */
async function readHistory(client: pg.Client): Promise<Applied[]> {
  const table = await client.query<{ exists: boolean }>(
    `select to_regclass('_prisma_migrations') is not null as exists`,
  );
  if (!table.rows[0]?.exists) return [];
  const { rows } = await client.query<Applied>(
    `select migration_name as name, finished_at is not null as "isDone" from _prisma_migrations
     where rolled_back_at is null order by migration_name`,
  );
  return rows;
}

/** The names of applied migrations, and of those that have failed or were interrupted. */
async function readNames(client: pg.Client): Promise<{ done: string[]; broken: string[] }> {
  const history = await readHistory(client);
  const names = (isDone: boolean) => history.filter((each) => each.isDone === isDone).map(({ name }) => name);
  return { done: names(true), broken: names(false) };
}

/** Applies what the database lacks. The engine, which takes most of the time and memory, is loaded only if there is something to do. */
async function applyOwn(
  client: pg.Client,
  databaseUrl: string,
  {
    directory,
    only,
    onWait,
  }: { directory: string; only: readonly string[] | undefined; onWait: (line: string) => void },
): Promise<string[]> {
  const known = await migrationNames(directory);
  const before = await readNames(client);
  assertKnown(before.done, known);
  const wanted = migrationsFor(before.done.length > 0 ? before.done : (only ?? []), known).filter(
    (name) => only?.includes(name) ?? true,
  );
  const isMissing = (name: string) => !before.done.includes(name);
  if (before.broken.length === 0 && !wanted.some(isMissing)) return [];
  return withSchemaEngine(databaseUrl, async (engine, takeFailure) => {
    const run = async (names: string[]) => {
      const migrationsList = await listMigrations(directory, names);
      await engine.applyMigrations({ migrationsList, filters: NO_FILTER });
    };
    const apply = (names: string[]) => applyPatiently(client, engine, { run: () => run(names), takeFailure, onWait });
    const former = wanted.filter(isOfDevelopment);
    if (former.length > 0 && wanted.includes(BASELINE)) {
      await apply(former);
      const migrationsList = await listMigrations(directory, [BASELINE]);
      await engine.markMigrationApplied({ migrationsList, migrationName: BASELINE });
    }
    await apply(wanted);
    const isOfBaseline = (name: string) => name === BASELINE && former.length > 0;
    return wanted.filter((name) => isMissing(name) && !isOfBaseline(name));
  });
}

/**
 * Applies migrations, again while a script waits for the lock of a table, and where the script of a killed process was applied meanwhile: PostgreSQL
 * may have read it only after this one looked.
 */
async function applyPatiently(
  client: pg.Client,
  engine: SchemaEngine,
  {
    run,
    takeFailure,
    onWait,
  }: { run: () => Promise<void>; takeFailure: () => string | null; onWait: (line: string) => void },
): Promise<void> {
  const until = Date.now() + LOCKED_PATIENCE_MS;
  for (let sayAt = Date.now(); ; await sleep(TRY_LOCKED_EVERY_MS)) {
    const { done, broken } = await readNames(client);
    // A script runs in one transaction, so an interrupted one has left nothing and can run again.
    for (const migrationName of broken) await engine.markMigrationRolledBack({ migrationName });
    try {
      return await run();
    } catch (error) {
      const after = await readNames(client);
      const wasLocked = takeFailure() === LOCKED && Date.now() < until;
      if (!wasLocked && after.done.length === done.length) throw error;
      if (!wasLocked || Date.now() < sayAt) continue;
      sayAt = Date.now() + SAY_EVERY_MS;
      onWait(`Waiting for a transaction that uses a table which ${after.broken.at(-1)} changes`);
    }
  }
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

/** Rejects a database with the migrations of a newer version, or of another program. */
function assertKnown(applied: string[], known: string[]): void {
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  if (unknown.length === applied.length) throw new Error(FOREIGN);
  throw new Error(
    `a newer Upwatch has brought it to ${unknown.at(-1)}, which this one does not know. Start that one, or put back a backup.`,
  );
}

/** The names of the migrations of a folder, those of development included, oldest first. */
export async function migrationNames(directory: string = MIGRATIONS): Promise<string[]> {
  const folders = await Promise.all([directory, join(directory, DEVELOPMENT)].map((folder) => readdir(folder)));
  return folders
    .flat()
    .filter((name) => /^\d{14}_/.test(name))
    .sort();
}

async function listMigrations(directory: string, names: string[]) {
  const read = (name: string) => {
    const folder = isOfDevelopment(name) ? join(directory, DEVELOPMENT) : directory;
    return readFile(join(folder, name, 'migration.sql'), 'utf8');
  };
  const migrationDirectories = await Promise.all(
    names.map(async (name) => ({
      path: name,
      migrationFile: { path: 'migration.sql', content: { tag: 'ok' as const, value: await read(name) } },
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
