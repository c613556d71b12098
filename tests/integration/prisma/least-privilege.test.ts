import pg from 'pg';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { claimSecret } from '@/server/platform/database/app-secret';
import { assertSessions } from '@/server/platform/database/assert-sessions';
import { extraDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';

const ROLE = `upwatch_least_${process.pid}`;

let own: Awaited<ReturnType<typeof extraDatabase>>;
let url: string;

async function asOwner(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: own.url });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

beforeAll(async () => {
  own = await extraDatabase({ migrated: false });
  const name = new URL(own.url).pathname.slice(1);
  // These are the statements of docs/operations.md.
  await asOwner(
    `create role ${ROLE} login password 'least' nosuperuser nocreatedb nocreaterole`,
    `revoke all on database "${name}" from public`,
    `grant connect, create, temporary on database "${name}" to ${ROLE}`,
    'revoke all on schema public from public',
    `grant usage, create on schema public to ${ROLE}`,
  );
  const theirs = new URL(own.url);
  Object.assign(theirs, { username: ROLE, password: 'least' });
  url = theirs.href;
});
afterAll(async () => {
  const kept = globalThis as { upwatchDb?: { $disconnect: () => Promise<void> } };
  await kept.upwatchDb?.$disconnect();
  await asOwner(`drop owned by ${ROLE} cascade`, `drop role ${ROLE}`);
  await own.drop();
});

it('migrates, checks, runs jobs and drops partitions with the documented rights and no others', async () => {
  await assertSessions(url);
  await migrate(url);
  await claimSecret(url, { present: 'a secret of this test' });
  expect(await migrate(url)).toEqual([]);
  vi.stubEnv('DATABASE_URL', url);
  vi.resetModules();
  const kept = globalThis as { upwatchDb?: unknown; upwatchPool?: unknown; upwatchListener?: unknown };
  Object.assign(kept, { upwatchDb: undefined, upwatchPool: undefined, upwatchListener: undefined });
  const { db } = await import('@/server/platform/db');
  const { startJobs } = await import('@/server/platform/jobs');
  const { crontab, jobs } = await import('@/server/worker/jobs');
  const { Scheduler } = await import('@/server/checks/schedule/schedule');
  const { keepCheckDays } = await import('@/server/history/keep-check-days');
  const { deleteOldRows } = await import('@/server/worker/delete-old-rows');
  const { rollUpHistory } = await import('@/server/history/roll-up-history');
  const { stopListening } = await import('@/server/platform/listen');
  const { metrics } = await import('@/server/api/metrics');
  const { httpMonitor, rest, signUp } = await import('@/tests/support/rest');

  const running = await startJobs({ jobs, crontab, concurrency: 4 });
  const scheduler = new Scheduler({ worker: 'least', region: 'default', concurrency: 4 });
  scheduler.start();
  const { token } = await signUp();
  const created = await rest('POST', '/dashboard/monitors', {
    token,
    body: httpMonitor({ type: 'tcp', config: { host: '127.0.0.1', port: 9 } }),
  });
  expect(created.status).toBe(201);
  await until(async () => (await db.check.count()) > 0, 15_000, 'A check');
  await db.$executeRaw`select make_check_day(date '2020-01-01')`;
  await runJob(rollUpHistory, { rebuild: false });
  const rolledUp = { id: 1, hour: Math.floor(Date.now() / 3_600_000) };
  await db.rollUpMark.upsert({ where: { id: 1 }, create: rolledUp, update: rolledUp });
  await runJob(keepCheckDays, {});
  await runJob(deleteOldRows, {});
  const [days] = await db.$queryRaw<{ old: number }[]>`
    select count(*)::int as old from pg_class where relname = 'checks_20200101'`;
  expect(days?.old).toBe(0);
  const scraped = await metrics(
    new Request('http://127.0.0.1/api/metrics', { headers: { 'x-upwatch-address': '127.0.0.1' } }),
  );
  expect(await scraped.text()).toContain('\nupwatch_database_up 1\n');
  await scheduler.stop(1_000);
  await running.stop();
  await stopListening();
}, 90_000);
