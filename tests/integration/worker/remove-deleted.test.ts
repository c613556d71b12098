import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claim } from '@/server/notifications/deliveries/claim';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { testEvent } from '@/server/notifications/test-event';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { addChecks } from '@/tests/support/checks';
import { until } from '@/tests/support/receivers';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { makeMonitor } from '../checks/monitors';

const ROWS = 1_200;
const SLICE = 500;

let person: Person;
let key: string;
beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});
afterAll(() => db.team.deleteMany());

async function makeChannel(deliveries: number): Promise<string> {
  const config = { url: 'https://hooks.example.com/x' };
  const body = { type: 'webhook', name: 'Hook', config };
  const answer = await rest('POST', '/api/v1/channels', { token: key, body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  const channelId = String(answer.body.channel.id);
  await db.delivery.createMany({
    data: Array.from({ length: deliveries }, () => ({
      ...{ id: newId(), teamId: person.teamId, channelId, event: 'incident.opened', eventKey: newId() },
      ...{ payload: {}, nextAttemptAt: new Date() },
    })),
  });
  return channelId;
}

/** A signal that is aborted when it is asked for the nth time, as by a worker that is stopped or dies. */
function abortedAt(nth: number): AbortSignal {
  let asked = 0;
  return {
    get aborted() {
      return ++asked >= nth;
    },
  } as AbortSignal;
}

/** Statements that wait for a lock. */
async function countWaiting(): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}

const remove = (id: string) => rest('DELETE', `/api/v1/channels/${id}`, { token: key });

describe('a deleted channel', () => {
  it('is gone at once, while its deliveries are locked, and keeps no other channel from getting alerts', {
    timeout: 60_000,
  }, async () => {
    const channelId = await makeChannel(3);
    const other = await makeChannel(0);
    const undo = new Error('undone');
    const held = db.$transaction(
      async (tx) => {
        await tx.$queryRaw`select 1 from deliveries where channel_id = ${channelId} for update`;
        expect((await remove(channelId)).status).toBe(200);
        expect((await remove(channelId)).status).toBe(404);
        expect((await rest('GET', `/api/v1/channels/${channelId}/deliveries`, { token: key })).status).toBe(404);
        const { teamId } = person;
        const data = testEvent(null).data;
        await db.$transaction((own) =>
          createDeliveries(own, [
            { teamId, incidentId: null, event: 'incident.opened', eventKey: newId(), data } as never,
          ]),
        );
        expect(await db.delivery.count({ where: { channelId } })).toBe(3);
        expect(await db.delivery.count({ where: { channelId: other } })).toBe(1);
        throw undo;
      },
      { timeout: 50_000 },
    );
    await expect(held).rejects.toBe(undo);
    expect(await claim(channelId)).toBeNull();
  });

  it('is removed with its deliveries in slices, also after a run was cut off', { timeout: 60_000 }, async () => {
    await runJob(removeDeleted, {});
    const channelId = await makeChannel(ROWS);
    expect((await remove(channelId)).status).toBe(200);
    expect(await db.delivery.count({ where: { channelId } })).toBe(ROWS);
    await runJob(removeDeleted, {}, { signal: abortedAt(2) });
    expect(await db.delivery.count({ where: { channelId } })).toBe(ROWS - SLICE);
    expect(await db.channel.count({ where: { id: channelId } })).toBe(1);
    await runJob(removeDeleted, {});
    expect(await db.delivery.count({ where: { channelId } })).toBe(0);
    expect(await db.channel.count({ where: { id: channelId } })).toBe(0);
  });
});

describe('a deleted monitor', () => {
  it('leaves its results to the job, which removes them in slices', { timeout: 60_000 }, async () => {
    const { id, num } = await makeMonitor(person.teamId, { url: 'http://127.0.0.1:9/' });
    const moments = Array.from({ length: ROWS }, (_, index) => new Date(Date.now() - index * 60_000));
    await addChecks(moments.map((at) => ({ monitorNum: num, at, region: 'x', status: 'up' as const })));
    expect((await rest('DELETE', `/api/v1/monitors/${id}`, { token: key })).status).toBe(200);
    const count = () => db.check.count({ where: { monitorNum: num } });
    expect(await count()).toBe(ROWS);
    await runJob(removeDeleted, {}, { signal: abortedAt(2) });
    expect(await count()).toBe(ROWS - SLICE);
    await runJob(removeDeleted, {});
    expect(await count()).toBe(0);
    expect(await db.deletedMonitor.count({ where: { num } })).toBe(0);
  });

  it('is removed completely while another run removes the same rows', { timeout: 60_000 }, async () => {
    await runJob(removeDeleted, {});
    const { id, num } = await makeMonitor(person.teamId, { url: 'http://127.0.0.1:9/' });
    const moments = Array.from({ length: ROWS }, (_, index) => new Date(Date.now() - index * 1_000));
    await addChecks(moments.map((at) => ({ monitorNum: num, at, region: 'x', status: 'up' as const })));
    expect((await rest('DELETE', `/api/v1/monitors/${id}`, { token: key })).status).toBe(200);
    let run: Promise<void> | null = null;
    await db.$transaction(
      async (tx) => {
        const other = await tx.check.deleteMany({ where: { monitorNum: num }, limit: SLICE });
        expect(other.count).toBe(SLICE);
        run = runJob(removeDeleted, {});
        await until(async () => (await countWaiting()) === 1, 20_000, 'The run waiting for the other one');
      },
      { timeout: 50_000 },
    );
    await run;
    expect(await db.check.count({ where: { monitorNum: num } })).toBe(0);
    expect(await db.deletedMonitor.count({ where: { num } })).toBe(0);
  });
});
