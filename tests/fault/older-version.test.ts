import type { ChildProcess } from 'node:child_process';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fence } from '@/prisma/fence';
import { COMPATIBILITY } from '@/server/platform/database/compatibility';
import { db } from '@/server/platform/db';
import { testDatabase } from '@/tests/support/database';
import { isAlive } from '@/tests/support/processes';
import { type Launched, launch, newDataDir } from '@/tests/support/product';
import { until } from '@/tests/support/receivers';
import { type FailingMonitors, makeFailingMonitors } from './failing-monitors';
import { endWorker, startWorker } from './workers';

// An upgrade while workers of older versions are running: one from the start script, and one of a version without announced versions, which does not
// know the event of the new messages. Both are copies of the built bundles with these lines changed.

const MONITORS = 12;
const INTERVAL_SECONDS = 5;
const PATIENCE_MS = 60_000;
const FOLDER = '.build/versions';

let stage: FailingMonitors;
let older: Launched;
let oldest: ChildProcess;
let newer: ChildProcess;
let exitCode: number | NodeJS.Signals | null = null;

/** A built bundle with changed lines. */
async function variant(bundle: string, name: string, changes: [string | RegExp, string][]): Promise<string> {
  let code = (await readFile(`.build/${bundle}.mjs`, 'utf8')).replace(/^\/\/# sourceMappingURL=.*$/m, '');
  for (const [from, to] of changes) {
    const changed = code.replace(from, to);
    if (changed === code) throw new Error(`The bundle ${bundle} has no ${from} to change.`);
    code = changed;
  }
  const file = `${FOLDER}/${name}.mjs`;
  await writeFile(file, code);
  return file;
}

/** The workers that hold claims. */
async function holders(): Promise<Set<string>> {
  const rows = await db.monitorState.findMany({ where: { claimedBy: { not: null } }, select: { claimedBy: true } });
  return new Set(rows.map(({ claimedBy }) => claimedBy ?? ''));
}

/** The workers that claim checks during two intervals. */
async function claimants(): Promise<Set<string>> {
  const found = new Set<string>();
  for (const end = Date.now() + 2 * INTERVAL_SECONDS * 1_000; Date.now() < end; await sleep(50)) {
    for (const worker of await holders()) found.add(worker);
  }
  return found;
}

beforeAll(async () => {
  stage = await makeFailingMonitors(MONITORS, { intervalSeconds: INTERVAL_SECONDS, patienceMs: PATIENCE_MS });
  await rm(FOLDER, { recursive: true, force: true });
  await mkdir(FOLDER, { recursive: true });
  const NEXT: [RegExp, string] = [/var COMPATIBILITY = \d+;/, `var COMPATIBILITY = ${COMPATIBILITY + 1};`];
  const oldestFile = await variant('worker', 'oldest', [
    [
      /select pg_backend_pid\(\) as pid, set_config\('TimeZone', 'UTC', false\), \$\{ANNOUNCE\}/,
      "select pg_backend_pid() as pid, set_config('TimeZone', 'UTC', false)",
    ],
    // The bundler numbers names that packages have too.
    [/required\d* > COMPATIBILITY/, 'false'],
    [/("incident\.opened",)(?=\s+"incident\.)/, ''],
  ]);
  const newerFile = await variant('worker', 'newer', [NEXT, ['`Upwatch (+', '`Newer Upwatch (+']]);
  const migrateFile = await variant('migrate', 'migrate', [NEXT]);

  const { APP_SECRET = '' } = process.env;
  const settings = { DATABASE_URL: testDatabase(), APP_SECRET, DATA_DIR: await newDataDir() };
  older = launch({ ...settings, ALLOW_PRIVATE_TARGETS: 'true', LOG_FORMAT: 'json' }, 'worker');
  oldest = startWorker(undefined, { LOG_LEVEL: 'fatal' }, oldestFile);
  await until(async () => (await db.worker.count()) === 2, PATIENCE_MS, 'Both older workers');
  // As before versions were announced, so that the oldest one works as well. After the start script of the older one, which migrates.
  await db.compatibility.deleteMany();
  const client = new pg.Client({ connectionString: testDatabase() });
  await client.connect();
  await fence(client, 0);
  await client.end();
  await stage.untilStatus(stage.monitors, 'up', 'The first check of every monitor');

  const { migrate } = (await import(pathToFileURL(migrateFile).href)) as typeof import('@/prisma/migrate');
  // The oldest worker must lose its claims.
  await until(async () => (await holders()).size === 2, PATIENCE_MS, 'A claim of each older worker');
  await migrate(testDatabase());
  newer = startWorker(undefined, {}, newerFile);
  await stage.fail(stage.monitors);
  await stage.untilDelivered(MONITORS);
  exitCode = await older.exited;
}, 240_000);

afterAll(async () => {
  if (older && isAlive(older.pid)) process.kill(older.pid, 'SIGTERM');
  for (const worker of [oldest, newer]) if (worker) await endWorker(worker, 'SIGKILL');
  await stage?.close();
  await rm(FOLDER, { recursive: true, force: true });
  if (older) await rm(older.dataDir, { recursive: true, force: true });
});

describe('workers of older versions after an upgrade', () => {
  it('let the newer version deliver every message at the first attempt', async () => {
    const deliveries = await db.delivery.findMany({ include: { attempts: true } });
    expect(deliveries).toHaveLength(2 * MONITORS);
    expect(new Set(deliveries.map(({ status }) => status))).toEqual(new Set(['delivered']));
    expect(deliveries.filter(({ attempts }) => attempts.some(({ error }) => error !== null))).toEqual([]);
    const agents = stage.receiver.requests.map(({ headers }) => String(headers['user-agent']).split(' (')[0]);
    expect(new Set(agents)).toEqual(new Set(['Newer Upwatch']));
  });

  it('leave no job that failed', async () => {
    const failed = await db.$queryRaw`select last_error from graphile_worker.jobs where last_error is not null`;
    expect(failed).toEqual([]);
  });

  it('end with one line and are not restarted', async () => {
    expect(exitCode).toBe(78);
    const lines = older.logs().split('\n');
    expect(lines.filter((line) => line.includes('requires compatibility version'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('starting it again'))).toEqual([]);
  });

  it('claim no check, also where they go on because they know nothing of versions', async () => {
    expect((await claimants()).size).toBe(1);
    expect(oldest.exitCode).toBeNull();
  });
});
