import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { db } from '@/server/platform/db';
import { defineJob, enqueue, enqueueMany, type RunningJobs, startJobs } from '@/server/platform/jobs';
import { log } from '@/server/platform/log';
import { testDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/receivers';
import { withDatabase } from '@/tests/support/server';

const runs: { key: string; attempt: number }[] = [];
let failures = 0;
let running: RunningJobs | null = null;
const children: ChildProcessWithoutNullStreams[] = [];

const Payload = z.object({ key: z.string().min(1) });

const note = defineJob({
  name: 'note',
  schema: Payload,
  run: async ({ key }, { attempt }) => {
    runs.push({ key, attempt });
    if (failures > 0) {
      failures -= 1;
      throw new Error('Not this time');
    }
  },
});

const maybeStuck = defineJob({
  name: 'maybe-stuck',
  schema: Payload,
  run: async ({ key }, { attempt }) => {
    runs.push({ key, attempt });
  },
});

async function start() {
  running = await startJobs({ jobs: [note, maybeStuck], concurrency: 3 });
}

async function queued() {
  const [row] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count from graphile_worker.jobs`;
  return row?.count ?? 0;
}

async function knownCrontabs() {
  return (await db.$queryRaw<unknown[]>`select 1 from graphile_worker._private_known_crontabs`).length;
}

beforeEach(async () => {
  runs.length = 0;
  failures = 0;
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
});

afterEach(async () => {
  await running?.stop();
  running = null;
});

afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
});

describe('queueing a job', () => {
  it('takes effect when the transaction commits', async () => {
    await start();
    await db.$transaction(async (tx) => {
      await enqueue(tx, note, { key: 'committed' });
      await new Promise((resolve) => setTimeout(resolve, 200));
      expect(runs).toEqual([]);
    });
    const failing = db.$transaction(async (tx) => {
      await enqueue(tx, note, { key: 'rolled back' });
      throw new Error('Changed my mind');
    });
    await expect(failing).rejects.toThrow('Changed my mind');
    await until(async () => runs.length > 0 && (await queued()) === 0);
    expect(runs).toEqual([{ key: 'committed', attempt: 1 }]);
  });

  it('rejects a payload that the job does not accept, alone or among many', async () => {
    await expect(db.$transaction((tx) => enqueue(tx, note, { key: '' }))).rejects.toThrow(z.ZodError);
    const many = db.$transaction((tx) => enqueueMany(tx, note, [{ payload: { key: 'a' } }, { payload: { key: '' } }]));
    await expect(many).rejects.toThrow(z.ZodError);
    expect(await queued()).toBe(0);
  });

  it('retries a payload that this version cannot read for days, whatever the limit of the job', async () => {
    await db.$executeRaw`select graphile_worker.add_job('note', '{"key": 7}'::json, max_attempts => 1)`;
    await start();
    const read = () => db.$queryRaw<{ attempts: number; max_attempts: number; last_error: string | null }[]>`
      select attempts, max_attempts, last_error from graphile_worker._private_jobs`;
    await until(async () => (await read())[0]?.last_error !== null);
    expect(await read()).toMatchObject([
      { max_attempts: 25, last_error: expect.stringContaining('This version cannot read the payload (key: ') },
    ]);
    expect(runs).toEqual([]);
    await db.$executeRaw`update graphile_worker._private_jobs set payload = '{"key": "readable"}', run_at = now()`;
    await until(async () => (await queued()) === 0);
    expect(runs).toMatchObject([{ key: 'readable' }]);
  });

  it('keeps one waiting job per key: the last payload and time, or the first time on request', async () => {
    const early = new Date('2030-01-01T00:00:00.123Z');
    const late = new Date('2031-01-01T00:00:00.000Z');
    await db.$transaction((tx) => enqueue(tx, note, { key: 'a' }, { jobKey: 'k', runAt: early }));
    await db.$transaction((tx) => enqueue(tx, note, { key: 'b' }, { jobKey: 'k', runAt: late, keepRunAt: true }));
    const read = () => db.$queryRaw<{ payload: unknown; run_at: Date }[]>`
      select payload, run_at from graphile_worker._private_jobs`;
    expect(await read()).toEqual([{ payload: { key: 'b' }, run_at: early }]);
    await db.$transaction((tx) => enqueue(tx, note, { key: 'c' }, { jobKey: 'k', runAt: late }));
    expect(await read()).toEqual([{ payload: { key: 'c' }, run_at: late }]);
  });

  it('queues many with one statement, and all of them run', async () => {
    await start();
    const keys = Array.from({ length: 300 }, (_, index) => `many ${index}`);
    await db.$transaction((tx) =>
      enqueueMany(
        tx,
        note,
        keys.map((key) => ({ payload: { key }, jobKey: key })),
      ),
    );
    await until(() => runs.length >= keys.length);
    expect(runs.map(({ key }) => key).sort()).toEqual(keys.sort());
  });

  it('does nothing for none', async () => {
    await db.$transaction((tx) => enqueueMany(tx, note, []));
    expect(await queued()).toBe(0);
  });

  it('runs a later job at its time', async () => {
    await start();
    const runAt = new Date(Date.now() + 1_500);
    await db.$transaction((tx) => enqueueMany(tx, note, [{ payload: { key: 'later' }, runAt }]));
    await until(() => runs.length > 0);
    expect(Date.now()).toBeGreaterThanOrEqual(runAt.getTime());
  });
});

describe('running jobs', () => {
  it('retries a job that threw, with the number of the attempt', async () => {
    failures = 1;
    await start();
    await db.$transaction((tx) => enqueue(tx, note, { key: 'again' }));
    await until(() => runs.length === 2);
    expect(runs).toEqual([
      { key: 'again', attempt: 1 },
      { key: 'again', attempt: 2 },
    ]);
  });

  it('continues after the database cut every connection during a job', async () => {
    const admin = new pg.Client({ connectionString: testDatabase() });
    await admin.connect();
    let cut = false;
    const breaking = defineJob({
      name: 'breaking',
      schema: Payload,
      run: async ({ key }, { attempt }) => {
        runs.push({ key, attempt });
        if (cut) return;
        cut = true;
        await admin.query(
          'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
        );
      },
    });
    running = await startJobs({ jobs: [breaking], concurrency: 1 });
    await db.$transaction((tx) => enqueue(tx, breaking, { key: 'first' }));
    await until(() => cut);
    await until(() =>
      db
        .$transaction((tx) => enqueue(tx, breaking, { key: 'second' }))
        .then(
          () => true,
          () => false,
        ),
    );
    await until(() => runs.some(({ key }) => key === 'second'), 14_000);
    await admin.end();
  }, 30_000);

  it('continues with recurring jobs after a minute without a database', async () => {
    const admin = new pg.Client({ connectionString: withDatabase(testDatabase(), 'postgres') });
    await admin.connect();
    const name = new URL(testDatabase()).pathname.slice(1);
    const allow = (yes: boolean) => admin.query(`alter database ${name} with allow_connections ${yes}`);
    // Only the date is set: a tenth of a second before the last full minute.
    vi.useFakeTimers({ toFake: ['Date'] });
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    vi.setSystemTime(minute - 100);
    const warned = vi.spyOn(log, 'warn');
    try {
      running = await startJobs({ jobs: [note], concurrency: 1, crontab: '* * * * * note {"key":"recurring"}' });
      await until(async () => (await knownCrontabs()) > 0);
      await allow(false);
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
      vi.setSystemTime(minute + 50);
      const refused = () => warned.mock.calls.some(([, message]) => String(message).includes('could not be queued'));
      await until(refused);
    } finally {
      vi.useRealTimers();
      await allow(true);
      await admin.end();
    }
    await until(() => runs.some(({ key }) => key === 'recurring'), 30_000, 'The recurring job');
  }, 60_000);

  it('rejects at the start without a database', async () => {
    const url = new URL(testDatabase());
    url.pathname = '/nowhere';
    const child = startWorker(url.href);
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(said).toContain('"nowhere" does not exist');
    expect(code).not.toBe(0);
  });

  it('waits for running jobs when it is stopped, and then starts no more', async () => {
    let finished = false;
    const slow = defineJob({
      name: 'slow',
      schema: Payload,
      run: async ({ key }, { attempt }) => {
        runs.push({ key, attempt });
        await new Promise((resolve) => setTimeout(resolve, 500));
        finished = true;
      },
    });
    const jobs = await startJobs({ jobs: [slow], concurrency: 1 });
    await db.$transaction((tx) => enqueueMany(tx, slow, [{ payload: { key: 'one' } }, { payload: { key: 'two' } }]));
    await until(() => runs.length === 1);
    await jobs.stop();
    expect(finished).toBe(true);
    expect(runs).toHaveLength(1);
    expect(await queued()).toBe(1);
  });
});

function startWorker(url = testDatabase()): ChildProcessWithoutNullStreams {
  const file = fileURLToPath(new URL('job-worker.ts', import.meta.url));
  const env = { ...process.env, DATABASE_URL: url };
  const child = spawn(process.execPath, ['--import', 'tsx', file], { env, stdio: 'pipe' });
  children.push(child);
  return child;
}

describe('killed worker', () => {
  let child: ChildProcessWithoutNullStreams;

  beforeAll(() => {
    child = startWorker();
  });

  it('loses no job: another worker takes it within 15 s, and leaves jobs of living workers alone', async () => {
    await db.$transaction((tx) => enqueue(tx, maybeStuck, { key: 'precious' }));
    await once(child.stdout, 'data');
    await start();
    // Longer than two scans: a running worker keeps its job.
    await new Promise((resolve) => setTimeout(resolve, 12_000));
    expect(runs).toEqual([]);
    child.kill('SIGKILL');
    await until(() => runs.length > 0, 15_000, 'Another run');
    expect(runs).toEqual([{ key: 'precious', attempt: 2 }]);
  }, 60_000);
});
