import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test, vi } from 'vitest';
import { MigrationError, migrate } from '@/prisma/migrate';
import { freePort } from '@/scripts/lib/ports.mjs';
import { HttpConfig } from '@/server/monitor-types/schema';
import { extraDatabase, testDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/receivers';
import { readCatalog } from './catalog';
import { migrateBefore } from './migrate-before';

// Each migrates a database, which takes long on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await extraDatabase({ migrated: false });
  onTestFinished(drop);
  return url;
}

async function query(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The product's migrations in a temporary folder, with an additional one. */
async function migrationsAnd(sql: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'upwatch-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp('prisma/migrations', folder, { recursive: true });
  const added = join(folder, '29990101000000_added');
  await mkdir(added);
  await writeFile(join(added, 'migration.sql'), sql);
  return folder;
}

test('creates every table and the job queue in an empty database, and changes nothing the second time', async () => {
  const url = await emptyDatabase();
  const lines: string[] = [];
  const applied = await migrate(url, { log: (line) => lines.push(line) });
  expect(applied.length).toBeGreaterThan(0);
  expect(lines).toEqual(applied);
  expect(await readCatalog(url)).toEqual(await readCatalog(testDatabase()));
  expect(await query(url, "select (graphile_worker.add_job('test')).max_attempts")).toEqual([{ max_attempts: 25 }]);
  expect(await migrate(url)).toEqual([]);
});

test('lets one of two concurrent starts migrate and the other wait, and both succeed', async () => {
  const url = await emptyDatabase();
  const all = (await Promise.all([migrate(url), migrate(url), migrate(url)])).filter((applied) => applied.length > 0);
  expect(all).toHaveLength(1);
});

test('names the holder while it waits for the lock, and continues once it is free', async () => {
  const url = await emptyDatabase();
  const holder = new pg.Client({ connectionString: url, application_name: 'a pooled connection' });
  await holder.connect();
  await holder.query('select pg_advisory_lock(823471106)');
  const { rows } = await holder.query<{ pid: number }>('select pg_backend_pid() as pid');
  const lines: string[] = [];
  const migrating = migrate(url, { onWait: (line) => lines.push(line) });
  await until(() => lines.length > 0, 10_000, 'The line');
  await holder.end();
  expect((await migrating).length).toBeGreaterThan(0);
  expect(lines).toEqual([
    expect.stringMatching(
      new RegExp(
        `^Waiting for the migration lock, which "a pooled connection" .*pg_terminate_backend\\(${rows[0]?.pid}\\)$`,
      ),
    ),
  ]);
});

test('keeps data through a later migration', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  await query(url, "insert into kv_entries (key, value) values ('kept', 'yes')");
  const added = await migrate(url, { directory: await migrationsAnd('alter table kv_entries add column extra int;') });
  expect(added).toEqual(['29990101000000_added']);
  expect(await query(url, 'select key, value, extra from kv_entries')).toEqual([
    { key: 'kept', value: 'yes', extra: null },
  ]);
});

test('moves raw results into daily partitions', async () => {
  const url = await emptyDatabase();
  await migrateBefore(url, 'checks_by_day');
  await query(
    url,
    `insert into teams (id, name, plan) values ('t', 'T', 'free');
     insert into monitors (id, num, team_id, type, name, config, interval_seconds) values ('m', 1, 't', 'http', 'M', '{}', 60);
     insert into checks (monitor_num, at, region, status, latency_ms)
       values (1, '2026-01-01T23:59:59.999Z', 'default', 'up', 5), (1, '2026-01-02T00:00:00Z', 'default', 'down', null)`,
  );
  await migrate(url);
  expect(
    await query(url, 'select tableoid::regclass::text as day, status, latency_ms from checks order by at'),
  ).toEqual([
    { day: 'checks_20260101', status: 'up', latency_ms: 5 },
    { day: 'checks_20260102', status: 'down', latency_ms: null },
  ]);
});

test('stores the fingerprint of the APP_SECRET that encrypted most secrets', async () => {
  const url = await emptyDatabase();
  await migrateBefore(url, 'app_secret');
  const sealed = (id: string) =>
    `{"secret": {"sealed": "v1.${id}.AAAA", "hint": "abcd"}, "url": "https://v1.x-x-x-x."}`;
  await query(
    url,
    `insert into teams (id, name, plan) values ('t', 'T', 'free');
     insert into channels (id, team_id, type, name, config) values
       ('a', 't', 'webhook', 'A', '${sealed('first_-1')}'), ('b', 't', 'webhook', 'B', '${sealed('second22')}');
     insert into monitors (id, num, team_id, type, name, config, interval_seconds, ping_token)
       values ('m', 1, 't', 'heartbeat', 'M', '{}', 60, 'v1.first_-1.AAAA')`,
  );
  await migrate(url);
  expect(await query(url, 'select id, fingerprint from app_secret')).toEqual([{ id: 1, fingerprint: 'first_-1' }]);
});

test('marks addresses of existing email channels as confirmed, and revokes invitations without a right', async () => {
  const url = await emptyDatabase();
  await migrateBefore(url, 'mail_recipients');
  const invitation = (id: string, role: string, by: string | null, used = 'null') =>
    `('${id}', 't', '${id}@x.test', '${role}', '${id}', ${by ? `'${by}'` : 'null'}, now() + interval '1 day', ${used})`;
  await query(
    url,
    `insert into teams (id, name, plan) values ('t', 'T', 'free'), ('u', 'U', 'free');
     insert into users (id, email, password_hash) values ('o', 'o@x.test', ''), ('a', 'a@x.test', ''), ('m', 'm@x.test', '');
     insert into memberships (team_id, user_id, role) values ('t', 'o', 'owner'), ('t', 'a', 'admin'), ('t', 'm', 'member');
     insert into channels (id, team_id, type, name, config) values
       ('1', 't', 'email', 'E', '{"to": "Ops@X.test"}'), ('2', 't', 'email', 'E', '{"to": "ops@x.test"}'),
       ('3', 'u', 'email', 'E', '{"to": "ops@x.test"}'), ('4', 't', 'slack', 'S', '{"webhookUrl": "x"}');
     insert into invitations (id, team_id, email, role, token_hash, created_by_id, expires_at, used_at) values
       ${invitation('by-owner', 'owner', 'o')}, ${invitation('by-admin', 'admin', 'a')},
       ${invitation('above', 'owner', 'a')}, ${invitation('by-member', 'viewer', 'm')},
       ${invitation('by-nobody', 'viewer', null)}, ${invitation('used', 'viewer', 'm', 'now()')}`,
  );
  await migrate(url);
  expect(await query(url, 'select team_id, address from confirmed_recipients order by team_id')).toEqual([
    { team_id: 't', address: 'ops@x.test' },
    { team_id: 'u', address: 'ops@x.test' },
  ]);
  const revoked = await query(url, 'select id from invitations where revoked_at is not null order by id');
  expect(revoked).toEqual([{ id: 'above' }, { id: 'by-member' }, { id: 'by-nobody' }]);
});

test('explains a failed migration in one line and leaves nothing of it behind', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const before = await readCatalog(url);
  const directory = await migrationsAnd('create table half (id int); select broken_on_purpose;');
  const failure = await migrate(url, { directory }).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(MigrationError);
  expect(String(failure)).toContain('broken_on_purpose');
  expect(String(failure)).not.toContain('\n');
  expect(await readCatalog(url)).toEqual(before);
  const mended = await migrationsAnd('create table whole (id int);');
  expect(await migrate(url, { directory: mended })).toEqual(['29990101000000_added']);
});

test('does not repeat a migration that was committed although the engine could not record it', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  // The engine's own record follows the commit, and fails here as if the process had been killed.
  await query(
    url,
    `create function ended() returns trigger language plpgsql as $$ begin raise exception 'ended'; end $$;
     create trigger ended before update of applied_steps_count on _prisma_migrations for each row execute function ended()`,
  );
  const directory = await migrationsAnd('create table whole (id int);');
  expect(await migrate(url, { directory })).toEqual(['29990101000000_added']);
  await query(url, 'drop trigger ended on _prisma_migrations');
  expect(await migrate(url, { directory })).toEqual([]);
  expect(await query(url, 'select * from whole')).toEqual([]);
});

test('waits for a transaction that uses a table, in parts, so that nobody else waits for long', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const reader = new pg.Client({ connectionString: url });
  await reader.connect();
  await reader.query('begin; select count(*) from kv_entries');
  const lines: string[] = [];
  const directory = await migrationsAnd('alter table kv_entries add column extra int;');
  const migrating = migrate(url, { directory, onWait: (line) => lines.push(line) });
  await until(() => lines.length > 0, 20_000, 'The line');
  expect(lines).toEqual(['Waiting for a transaction that uses a table which 29990101000000_added changes']);
  expect(await query(url, 'select count(*)::int as entries from kv_entries')).toEqual([{ entries: 0 }]);
  await reader.end();
  expect(await migrating).toEqual(['29990101000000_added']);
  expect(await query(url, 'select extra from kv_entries')).toEqual([]);
});

test('accepts the script of a killed process that PostgreSQL applies only now', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const directory = await migrationsAnd('select pg_sleep(2);');
  await mkdir(join(directory, '29990101000001_late'));
  await writeFile(join(directory, '29990101000001_late/migration.sql'), 'create table late (id int);');
  const killed = new pg.Client({ connectionString: url });
  await killed.connect();
  onTestFinished(() => killed.end());
  const running = "select 1 from _prisma_migrations where migration_name = '29990101000000_added'";
  const migrating = migrate(url, { directory });
  await until(async () => (await query(url, running)).length > 0, 20_000, 'The first script');
  // Gets the lock of scripts between the two.
  await killed.query('begin; select pg_advisory_xact_lock(823471108); create table late (id int)');
  const waiting = "select 1 from _prisma_migrations where migration_name = '29990101000001_late'";
  await until(async () => (await query(url, waiting)).length > 0, 20_000, 'The second script');
  await killed.query("update _prisma_migrations set finished_at = now() where migration_name = '29990101000001_late'");
  await killed.query('commit');
  expect(await migrating).toEqual(['29990101000000_added', '29990101000001_late']);
  expect(await query(url, 'select * from late')).toEqual([]);
  expect(await migrate(url, { directory })).toEqual([]);
});

test('leaves the tables of another program alone', async () => {
  const url = await emptyDatabase();
  await query(url, "create table users (id int); create type role as enum ('author')");
  const before = await readCatalog(url);
  await expect(migrate(url)).rejects.toThrow(/^The database could not be migrated: it holds tables of another program/);
  expect(await readCatalog(url)).toEqual(before);
});

test('leaves another program with the same migration table alone too', async () => {
  const url = await emptyDatabase();
  await query(
    url,
    `create table _prisma_migrations (id varchar(36) primary key, checksum varchar(64) not null, finished_at timestamptz,
       migration_name varchar(255) not null, logs text, rolled_back_at timestamptz,
       started_at timestamptz not null default now(), applied_steps_count int not null default 0)`,
  );
  await query(
    url,
    `insert into _prisma_migrations (id, checksum, finished_at, migration_name) values ('x', 'x', now(), '20200101000000_theirs')`,
  );
  await expect(migrate(url)).rejects.toThrow(/it holds tables of another program/);
  expect(await query(url, 'select migration_name from _prisma_migrations')).toHaveLength(1);
});

test('rejects a database migrated by a newer version, which still works with that version', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  const newer = await migrationsAnd('create table newer (id int);');
  await migrate(url, { directory: newer });
  await expect(migrate(url)).rejects.toThrow(/a newer Upwatch has brought it to 29990101000000_added/);
  expect(await migrate(url, { directory: newer })).toEqual([]);
});

test('starts an older version after a failed migration of a newer one', async () => {
  const url = await emptyDatabase();
  await migrate(url);
  await expect(migrate(url, { directory: await migrationsAnd('select broken_on_purpose;') })).rejects.toThrow();
  expect(await migrate(url)).toEqual([]);
  expect(await migrate(url)).toEqual([]);
});

test("omits the engine's own code locations", async () => {
  const url = await emptyDatabase();
  const weak = `weak_${process.pid}`;
  await query(url, `create role ${weak} login password 'weak'`);
  onTestFinished(() => query(url, `drop role ${weak}`).then(() => undefined));
  const theirs = new URL(url);
  Object.assign(theirs, { username: weak, password: 'weak' });
  await expect(migrate(theirs.href)).rejects.toThrow(/permission denied for schema public$/);
});

test('accepts a migration with a function body that contains semicolons', async () => {
  const url = await emptyDatabase();
  const body = 'begin return 1; end;';
  const directory = await migrationsAnd(
    `create function one() returns int language plpgsql as $$ ${body} $$; select 1;`,
  );
  await migrate(url, { directory });
  expect(await query(url, 'select one()')).toEqual([{ one: 1 }]);
});

test('names an unreachable database as the cause', async () => {
  const url = `postgresql://nobody@127.0.0.1:${await freePort()}/none`;
  await expect(migrate(url)).rejects.toThrow(/^The database cannot be reached: .*ECONNREFUSED/);
});

test('unsets the confirmation of monitors with the former defaults, and leaves chosen values alone', async () => {
  const url = await emptyDatabase();
  await migrateBefore(url, 'confirm_defaults');
  const former = { failures: 2, recoveries: 1, retryDelayMs: 2000 };
  const http = HttpConfig.parse({ url: 'https://example.com/' });
  const configs = {
    http: { ...http, confirm: { ...former, degraded: 3 } },
    patient: { ...http, confirm: { ...former, degraded: 5 } },
    chosen: { ...http, confirm: { ...former, failures: 4, degraded: 3 } },
    tcp: { host: 'example.com', port: 80, confirm: former },
    heartbeat: { graceSeconds: 60 },
  };
  const values = Object.entries(configs).map(([id, config], index) => {
    const type = id === 'tcp' || id === 'heartbeat' ? id : 'http';
    return `('${id}', ${index + 1}, 't', '${type}', '${id}', '${JSON.stringify(config)}', 60)`;
  });
  await query(
    url,
    `insert into teams (id, name, plan) values ('t', 'T', 'free');
     insert into monitors (id, num, team_id, type, name, config, interval_seconds) values ${values.join(', ')}`,
  );
  const read = () =>
    query(url, "select id, config, config -> 'confirm' as confirm, version from monitors order by num");
  const before = await read();
  await migrate(url);
  const confirm = { failures: 3, recoveries: 4, retryDelayMs: 10_000 };
  const [first, second, third, fourth, fifth] = await read();
  expect(first).toEqual({ id: 'http', config: http, confirm: {}, version: 2 });
  expect(second).toMatchObject({ confirm: { ...confirm, degraded: 5 }, version: 2 });
  expect(fourth).toEqual({ id: 'tcp', config: { ...configs.tcp, confirm: {} }, confirm: {}, version: 2 });
  expect([third, fifth]).toEqual([before[2], before[4]]);
});

test('keeps the secret addresses of calendars', async () => {
  const url = await emptyDatabase();
  await migrateBefore(url, 'calendar_feeds');
  await query(
    url,
    `insert into teams (id, name, plan) values ('t', 'T', 'free');
     insert into users (id, email, password_hash) values ('u', 'u@example.test', '-');
     insert into memberships (team_id, user_id, role) values ('t', 'u', 'owner');
     insert into on_call_feeds (id, team_id, user_id, token_hash) values ('f', 't', 'u', 'hash')`,
  );
  const [before] = await query(url, 'select * from on_call_feeds');
  await migrate(url);
  expect(await query(url, 'select * from calendar_feeds')).toEqual([{ ...before, kind: 'on_call' }]);
});
