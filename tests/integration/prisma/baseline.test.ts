import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { migrate, migrationNames } from '@/prisma/migrate';
import { listApplied } from '@/server/platform/backup/catalog';
import { BASELINE, isOfDevelopment } from '@/server/platform/database/baseline';
import { extraDatabase, testDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/receivers';
import { readCatalog, readDetails } from './catalog';

const known = await migrationNames();
const DEVELOPMENT = known.filter(isOfDevelopment);

async function emptyDatabase(): Promise<string> {
  const { url, drop } = await extraDatabase({ migrated: false });
  onTestFinished(drop);
  return url;
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The rows of all tables but those about migrations. */
function readRows(url: string): Promise<string[]> {
  return withClient(url, async (client) => {
    const tables = await client.query<{ name: string }>(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
         and relname not in ('_prisma_migrations', 'compatibility') order by 1`,
    );
    const rows: string[] = [];
    for (const { name } of tables.rows) {
      const found = await client.query<{ line: string }>(
        `select format('%s %s', '${name}', row::text) as line from "${name}" row`,
      );
      rows.push(...found.rows.map(({ line }) => line));
    }
    return rows;
  });
}

const readHistory = (url: string) =>
  withClient(url, async (client) => {
    const { rows } = await client.query<{ name: string }>(
      'select migration_name as name from _prisma_migrations where rolled_back_at is null order by 1',
    );
    return rows.map(({ name }) => name);
  });

/** Migrates in a process of its own. */
function startMigration(url: string): ChildProcess {
  const code = `const { migrate } = await import('./.build/migrate.mjs'); await migrate(${JSON.stringify(url)});`;
  return spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: 'ignore' });
}

/** Kills a process after this time. Resolves with whether it was still running. */
async function killAfter(child: ChildProcess, ms: number): Promise<boolean> {
  await Promise.race([sleep(ms), once(child, 'exit')]);
  if (child.exitCode !== null) return false;
  child.kill('SIGKILL');
  await once(child, 'exit');
  return true;
}

describe('the baseline', () => {
  it('creates the same objects and rows as the migrations of development', { timeout: 60_000 }, async () => {
    const [former, present] = [await emptyDatabase(), await emptyDatabase()];
    await migrate(former, { only: DEVELOPMENT });
    expect(await migrate(present, { only: [BASELINE] })).toEqual([BASELINE]);
    for (const read of [readCatalog, readDetails]) {
      const lines = await read(present);
      expect(lines.length).toBeGreaterThan(100);
      expect(lines).toEqual(await read(former));
    }
    expect(await readRows(present)).toEqual(await readRows(former));
  });

  it('is the first migration of an empty database, and sorts before all later ones', async () => {
    const later = known.filter((name) => !isOfDevelopment(name));
    expect(later[0]).toBe(BASELINE);
    expect(await readHistory(testDatabase())).toEqual(later);
  });

  it('brings a database of any version of development to the present schema', { timeout: 120_000 }, async () => {
    const last = DEVELOPMENT.length;
    for (const count of [1, Math.floor(last / 2), last - 1, last]) {
      const url = await emptyDatabase();
      await migrate(url, { only: DEVELOPMENT.slice(0, count) });
      await withClient(url, (client) =>
        client.query(`insert into teams (id, name, plan) values ('kept', 'Kept', 'free')`),
      );
      const applied = await migrate(url);
      expect(applied).toEqual(known.filter((name) => name !== BASELINE).slice(count));
      expect(await readHistory(url)).toEqual(known);
      expect(await readCatalog(url), `after ${count} migrations`).toEqual(await readCatalog(testDatabase()));
      expect(await readDetails(url), `after ${count} migrations`).toEqual(await readDetails(testDatabase()));
      expect(await readRows(url)).toEqual([expect.stringMatching(/^teams \(kept,/)]);
      expect(await migrate(url)).toEqual([]);
      expect(await withClient(url, listApplied)).toEqual(await withClient(testDatabase(), listApplied));
    }
  });

  it('is recorded once if several processes of the new version start at once', async () => {
    const url = await emptyDatabase();
    await migrate(url, { only: DEVELOPMENT.slice(0, -2) });
    const all = await Promise.all([migrate(url), migrate(url), migrate(url)]);
    expect(all.filter((applied) => applied.length > 0)).toHaveLength(1);
    expect(await readHistory(url)).toEqual(known);
  });

  it('is complete after SIGKILL within its script, which PostgreSQL goes on with', async () => {
    const url = await emptyDatabase();
    await withClient(url, async (client) => {
      // The script takes this lock near its end.
      await client.query('select pg_advisory_lock(823471107)');
      const child = startMigration(url);
      const waiting = () => client.query('select 1 from pg_locks where objid = 823471107 and not granted');
      await until(async () => (await waiting()).rowCount === 1, 30_000, 'The script');
      expect(await killAfter(child, 0)).toBe(true);
      const lines: string[] = [];
      const next = migrate(url, { onWait: (line) => lines.push(line) });
      await until(() => lines.length > 0, 10_000, 'The line about the wait');
      await client.query('select pg_advisory_unlock(823471107)');
      // PostgreSQL commits the script, or notices at a statement's end that its client is gone.
      const later = known.filter((name) => name > BASELINE);
      expect([later, [BASELINE, ...later]]).toContainEqual(await next);
      expect(lines[0]).toMatch(/^Waiting for the migration lock, which "upwatch-migrate"/);
    });
    expect(await readHistory(url)).toEqual(known.filter((name) => !isOfDevelopment(name)));
    expect(await readCatalog(url)).toEqual(await readCatalog(testDatabase()));
  });

  it('is recorded by the next start if processes are killed on the way to it', { timeout: 120_000 }, async () => {
    const url = await emptyDatabase();
    await migrate(url, { only: DEVELOPMENT.slice(0, -8) });
    let kills = 0;
    for (let ms = 100; await killAfter(startMigration(url), ms); ms *= 1.5) kills += 1;
    expect(kills).toBeGreaterThan(0);
    expect(await migrate(url)).toEqual([]);
    expect(await readCatalog(url)).toEqual(await readCatalog(testDatabase()));
    expect(await readHistory(url)).toEqual(known);
  });
});
