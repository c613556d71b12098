import { afterEach, beforeAll, expect, it } from 'vitest';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { until } from '@/tests/support/receivers';
import { type Person, rest, signUp } from '@/tests/support/rest';

let admin: Person;
beforeAll(async () => {
  admin = await signUp();
});

afterEach(() => db.worker.deleteMany());

const list = async (query = '') => (await rest('GET', `/admin/workers${query}`, { token: admin.token })).body;

it('lists each running worker with its host, start time and activity', async () => {
  expect(await list()).toEqual({ workers: [], nextCursor: null });
  const [first, second, gone] = [newId(), newId(), newId()];
  const seenAt = new Date();
  const startedAt = new Date(seenAt.getTime() - 60_000);
  await db.worker.createMany({
    data: [
      { id: second, region: 'us', startedAt, seenAt },
      { id: gone, region: 'eu', seenAt: new Date(Date.now() - 3_600_000) },
      {
        id: first,
        region: 'eu',
        startedAt,
        seenAt,
        version: '0.1.0+abc',
        checksPerMinute: 166.666,
        latenessP99Ms: 4.26,
      },
    ],
  });
  const times = { startedAt: startedAt.toISOString(), seenAt: seenAt.toISOString() };
  expect(await list()).toEqual({
    workers: [
      { id: first, region: 'eu', version: '0.1.0+abc', checksPerMinute: 166.7, latenessP99Ms: 4.3, ...times },
      { id: second, region: 'us', version: '', checksPerMinute: 0, latenessP99Ms: null, ...times },
    ],
    nextCursor: null,
  });
  const { workers, nextCursor } = await list('?limit=1');
  expect([workers.map(({ id }: { id: string }) => id), nextCursor]).toEqual([[first], first]);
  expect((await list(`?limit=1&cursor=${nextCursor}`)).workers).toMatchObject([{ id: second }]);
});

it('allows only administrators of the instance', async () => {
  const person = await signUp();
  expect((await rest('GET', '/admin/workers', { token: person.token })).status).toBe(403);
  expect((await rest('GET', '/admin/workers')).status).toBe(401);
});

it('lists a worker from its start to its end, with its version', async () => {
  const scheduler = new Scheduler({ worker: newId(), region: 'ap', concurrency: 1 });
  scheduler.start();
  await until(async () => (await list()).workers.length === 1);
  expect((await list()).workers).toMatchObject([
    { region: 'ap', version: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]+$/), latenessP99Ms: null },
  ]);
  await scheduler.stop(0);
  expect((await list()).workers).toEqual([]);
  await stopListening();
});
