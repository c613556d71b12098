import { afterAll, expect, it } from 'vitest';
import { deleteTeams } from '@/server/admin/delete-rows';
import { heartbeat } from '@/server/api/heartbeat';
import { db } from '@/server/platform/db';
import { until } from '@/tests/support/receivers';
import { makeKey, rest, signUp } from '@/tests/support/rest';
import { readState } from '../checks/monitors';

afterAll(() => db.team.deleteMany());

async function makeHeartbeat() {
  const { teamId, ...person } = await signUp();
  const key = await makeKey({ teamId, ...person });
  const body = { type: 'heartbeat', name: 'Nightly', config: {} };
  const { monitor } = (await rest('POST', '/api/v1/monitors', { token: key, body })).body;
  return { teamId, id: String(monitor.id), path: new URL(monitor.config.pingUrl).pathname };
}

async function ping(path: string, body?: string) {
  const request = new Request(`http://127.0.0.1:3000${path}`, { method: 'POST', ...(body !== undefined && { body }) });
  const { status, headers } = await heartbeat(request);
  return { status, retryAfter: headers.get('retry-after') };
}

/** Statements that wait for a lock. */
async function countWaiting(): Promise<number> {
  const [row] = await db.$queryRaw<{ count: number }[]>`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}

/** Runs `work` in the middle of a transaction that is rolled back afterwards. */
async function during(begin: (tx: Parameters<typeof deleteTeams>[0]) => Promise<unknown>, work: () => Promise<void>) {
  const undo = new Error('undone');
  const ended = db.$transaction(
    async (tx) => {
      await begin(tx);
      await work();
      throw undo;
    },
    { timeout: 60_000 },
  );
  await expect(ended).rejects.toBe(undo);
}

it('answers 503 without waiting while the team is deleted, and accepts pings again if that is undone', {
  timeout: 60_000,
}, async () => {
  const leaving = await makeHeartbeat();
  const other = await makeHeartbeat();
  await during(
    (tx) => deleteTeams(tx, [leaving.teamId]),
    async () => {
      const pings = Array.from({ length: 20 }, (_, index) => ping(leaving.path, index % 2 === 0 ? undefined : 'log'));
      const refused = await Promise.all(pings);
      expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([503]));
      expect(refused.every(({ retryAfter }) => Number(retryAfter) > 0)).toBe(true);
      expect((await ping(other.path)).status).toBe(200);
      expect(await countWaiting()).toBe(0);
    },
  );
  expect((await ping(leaving.path)).status).toBe(200);
  await db.$transaction((tx) => deleteTeams(tx, [leaving.teamId]));
  expect((await ping(leaving.path)).status).toBe(404);
});

it('waits without a connection for a change of its monitor, and is recorded after it', {
  timeout: 60_000,
}, async () => {
  const { id, path } = await makeHeartbeat();
  let answer: Promise<{ status: number }> | null = null;
  await during(
    (tx) => tx.$queryRaw`select 1 from monitor_states where monitor_id = ${id} for update`,
    async () => {
      answer = ping(path, 'log');
      await until(async () => (await db.heartbeatBody.count({ where: { monitorId: id } })) === 1);
      expect(await countWaiting()).toBe(0);
    },
  );
  expect(await answer).toMatchObject({ status: 200 });
  expect((await readState(id)).status).toBe('up');
});
