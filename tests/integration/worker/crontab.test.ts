import { expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { startJobs } from '@/server/platform/jobs';
import { crontab, jobs } from '@/server/worker/jobs';
import { until } from '@/tests/support/receivers';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);

it('deletes old rows after a night without a worker', async () => {
  const lastRun = daysAgo(2);
  const first = await startJobs({ jobs, crontab, concurrency: 1 });
  const setLastRun = () => db.$executeRaw`
    update graphile_worker._private_known_crontabs set known_since = ${lastRun}, last_execution = ${lastRun}`;
  await until(async () => (await setLastRun()) > 0);
  await first.stop();
  const old = { to: 'robin@example.test', subject: 'Hello', text: 'Robin', createdAt: daysAgo(100) };
  await db.undeliveredMail.create({ data: { id: newId(), ...old } });
  const running = await startJobs({ jobs, crontab, concurrency: 1 });
  try {
    await until(async () => (await db.undeliveredMail.count()) === 0);
  } finally {
    await running.stop();
  }
  expect(await db.$queryRaw`select 1 from graphile_worker.jobs where last_error is not null`).toEqual([]);
});
