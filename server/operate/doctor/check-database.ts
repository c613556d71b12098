import { GONE_AFTER_SECONDS } from '@/server/checks/schedule/presence';
import { keyIdOf } from '@/server/platform/crypto';
import { assertSessions } from '@/server/platform/database/assert-sessions';
import { migrationsFor } from '@/server/platform/database/baseline';
import { type ShortClient, withClient } from '@/server/platform/database/short-client';
import type { Env } from '@/server/platform/env';
import { error, type Finding, failureOf, findings, note, reasonOf } from './finding';

const OLDEST = 150_000;
/** The number of connections that a web process, a worker and administration need. */
const CONNECTIONS = 12 + 34 + 10;
const NOTED_CLOCK_MS = 2_000;
const WRONG_CLOCK_MS = 30_000;

interface Facts {
  version: string;
  number: number;
  encoding: string;
  readOnly: boolean;
  mayCreateSchemas: boolean;
  mayUseTemporary: boolean;
  mayCreateTables: boolean;
  connections: number;
  fsync: string;
  fullPageWrites: string;
  autovacuum: string;
  now: number;
  isMigrated: boolean;
}

async function readFacts(client: ShortClient): Promise<Facts> {
  const { rows } = await client.query<Facts>(
    `select current_setting('server_version') as version, current_setting('server_version_num')::int as number,
       current_setting('server_encoding') as encoding, current_setting('transaction_read_only') = 'on' as "readOnly",
       has_database_privilege(current_database(), 'create') as "mayCreateSchemas",
       has_database_privilege(current_database(), 'temporary') as "mayUseTemporary",
       has_schema_privilege('public', 'create') as "mayCreateTables",
       current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as connections,
       current_setting('fsync') as fsync, current_setting('full_page_writes') as "fullPageWrites",
       current_setting('autovacuum') as autovacuum,
       extract(epoch from clock_timestamp())::float8 * 1000 as now, to_regclass('public.monitors') is not null as "isMigrated"`,
  );
  return rows[0] as Facts;
}

async function checkServer(facts: Facts, databaseUrl: string): Promise<Finding[]> {
  const sessions = await failureOf(assertSessions(databaseUrl));
  return findings(
    'Database',
    `PostgreSQL ${facts.version}`,
    facts.number < OLDEST && error(`PostgreSQL ${facts.version} is too old.`, 'Upgrade it to 15 or newer.'),
    facts.encoding !== 'UTF8' &&
      error(
        `Its encoding is ${facts.encoding}.`,
        "Create a database with encoding 'UTF8', and restore a backup into it.",
      ),
    facts.readOnly &&
      error(
        'It is read-only.',
        'Let DATABASE_URL lead to the primary (target_session_attrs=read-write with several hosts).',
      ),
    !facts.mayCreateSchemas && error('Its role may not create schemas.', 'Run grant create on database … to ….'),
    !facts.mayCreateTables &&
      error('Its role may not create tables.', 'Run grant usage, create on schema public to ….'),
    !facts.mayUseTemporary &&
      error('Its role may not create temporary tables.', 'Run grant temporary on database … to ….'),
    (facts.fsync === 'off' || facts.fullPageWrites === 'off') &&
      error('fsync or full_page_writes is off: a crash of its machine may destroy the data.', 'Turn both on.'),
    facts.autovacuum === 'off' && error('autovacuum is off: tables and lateness grow.', 'Turn it on.'),
    facts.connections < CONNECTIONS &&
      note(
        `It allows ${facts.connections} connections.`,
        'Set max_connections to 34 × workers + 12 × web processes + 10.',
      ),
    sessions !== null && error(sessions, 'Set the pooler to session mode.'),
  );
}

/** Compares the clocks of this machine and the database. Assumes that the database read its clock halfway through the round trip. */
function checkClock(theirs: number, sentAt: number, receivedAt: number): Finding[] {
  const apart = Math.abs(theirs - (sentAt + receivedAt) / 2);
  const text = `The clocks of this machine and the database are ${(apart / 1000).toFixed(1)} s apart`;
  const problem = apart < WRONG_CLOCK_MS ? note : error;
  const advice = 'Synchronize both with NTP: receivers reject webhooks whose signature is minutes old.';
  return findings('Clock', text, apart >= NOTED_CLOCK_MS && problem(`${text}.`, advice));
}

async function checkSecret(client: ShortClient, { appSecret, appSecretPrevious }: Env): Promise<Finding[]> {
  const { rows } = await client.query<{ fingerprint: string }>('select fingerprint from app_secret where id = 1');
  const stored = rows[0]?.fingerprint;
  const isRotating = Boolean(appSecretPrevious) && stored === keyIdOf(appSecretPrevious ?? '');
  const isOther = appSecret !== undefined && stored !== undefined && stored !== keyIdOf(appSecret);
  return findings(
    'Secrets',
    'APP_SECRET fits the database',
    !appSecret && error('APP_SECRET is not set.', 'Set it to the secret of this database.'),
    isOther &&
      isRotating &&
      note('APP_SECRET is being rotated.', 'Start a worker, which encrypts every stored secret again.'),
    isOther &&
      !isRotating &&
      error(
        'APP_SECRET is not the secret of this database.',
        'Set the one that its other machines use, or see "Secrets" in docs/operations.md.',
      ),
  );
}

async function checkMigrations(client: ShortClient, known: string[]): Promise<Finding[]> {
  const { rows } = await client.query<{ name: string; isDone: boolean }>(
    `select migration_name as name, finished_at is not null as "isDone" from _prisma_migrations
     where rolled_back_at is null order by migration_name`,
  );
  const unfinished = rows.find(({ isDone }) => !isDone);
  const applied = rows.map(({ name }) => name);
  const newer = applied.filter((name) => !known.includes(name)).at(-1);
  const wanted = migrationsFor(applied, known);
  const pending = wanted.filter((name) => !applied.includes(name)).length;
  return findings(
    'Migrations',
    `all ${wanted.length} are applied`,
    unfinished !== undefined &&
      error(`${unfinished.name} did not finish.`, 'Run upwatch migrate: it changed nothing, and is repeated.'),
    newer !== undefined &&
      error(`A newer Upwatch has migrated the database (${newer}).`, 'Start that version, or restore a backup.'),
    pending > 0 && error(`${pending} migrations are pending.`, 'Run upwatch migrate, or start this version.'),
  );
}

interface Jobs {
  task: string;
  failed: number;
  stuck: number;
  late: number;
  reason: string;
}

async function checkJobs(client: ShortClient): Promise<Finding[]> {
  const { rows } = await client.query<Jobs>(
    `select t.identifier as task, count(*) filter (where attempts >= max_attempts)::int as failed,
       count(*) filter (where locked_at < now() - interval '1 hour')::int as stuck,
       count(*) filter (where locked_at is null and attempts < max_attempts and run_at < now() - interval '5 minutes')::int as late,
       split_part(coalesce(max(last_error) filter (where attempts >= max_attempts), ''), e'\\n', 1) as reason
     from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id group by 1 order by 1`,
  );
  const problems = rows.flatMap(({ task, failed, stuck, late, reason }) => [
    failed > 0 &&
      note(`${failed} jobs ${task} have failed for good: ${reason}`, 'Correct the cause. See the log of the worker.'),
    stuck > 0 &&
      error(
        `${stuck} jobs ${task} are locked by a worker that does not finish them.`,
        'Restart the workers; the jobs of a dead one are retried after four hours.',
      ),
    late > 0 && error(`${late} jobs ${task} have been due for more than 5 min.`, 'Start a worker, or more of them.'),
  ]);
  return findings('Jobs', 'none is stuck', ...problems);
}

async function checkWorkers(client: ShortClient): Promise<Finding[]> {
  const { rows } = await client.query<{ alive: number; dead: number; overdue: number }>(
    `select count(*) filter (where seen_at >= now() - $1 * interval '1 s')::int as alive,
       count(*) filter (where seen_at < now() - $1 * interval '1 s')::int as dead,
       (select count(*) from monitor_states where due_at < now() - interval '1 minute')::int as overdue
     from workers`,
    [GONE_AFTER_SECONDS],
  );
  const { alive = 0, dead = 0, overdue = 0 } = rows[0] ?? {};
  return findings(
    'Workers',
    `${alive} running`,
    alive === 0 && error('No worker runs: nothing is checked.', 'Run upwatch start, or upwatch start --role worker.'),
    dead > 0 &&
      note(`${dead} workers ended without signing off.`, 'See why in their log; others take over their checks.'),
    overdue > 0 &&
      error(`${overdue} checks are more than 1 min late.`, 'Start more workers, or see whether the database is slow.'),
  );
}

/** Checks the database, and what it stores about jobs, workers, the secret and migrations. If it cannot be used, returns only that error. */
export async function checkDatabase(env: Env, known: string[]): Promise<Finding[]> {
  const { databaseUrl } = env;
  const broken = (message: string, advice: string) => findings('Database', '', error(message, advice));
  if (!databaseUrl) return broken('The embedded database does not run.', 'Run upwatch start.');
  try {
    return await withClient(databaseUrl, async (client) => {
      const sentAt = Date.now();
      const facts = await readFacts(client);
      const found = [...checkClock(facts.now, sentAt, Date.now()), ...(await checkServer(facts, databaseUrl))];
      if (!facts.isMigrated)
        return [...found, ...findings('Migrations', '', error('The database is empty.', 'Run upwatch start.'))];
      for (const check of [checkJobs, checkWorkers]) found.push(...(await check(client)));
      return [...found, ...(await checkSecret(client, env)), ...(await checkMigrations(client, known))];
    });
  } catch (thrown) {
    return broken(
      `It cannot be used: ${reasonOf(thrown)}.`,
      'Check DATABASE_URL, the server, and the firewall between.',
    );
  }
}
