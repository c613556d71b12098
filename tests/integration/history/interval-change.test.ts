import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rollUpHistory } from '@/server/history/roll-up-history';
import { db } from '@/server/platform/db';
import { readSpans } from '@/tests/integration/checks/monitors';
import { httpTarget, type Target } from '@/tests/integration/checks/targets';
import { httpMonitor, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

let target: Target;
let token: string;

beforeAll(async () => {
  target = await httpTarget((_request, response) => response.writeHead(200).end());
  ({ token } = await signUp());
});
afterAll(async () => {
  await db.rollUpMark.deleteMany();
  await target.close();
});

/** A monitor that has been up for five hours; its last check was this many minutes ago. */
async function upFor(intervalSeconds: number, checkedMinutesAgo: number, changes: Record<string, unknown> = {}) {
  const config = { url: `http://127.0.0.1:${target.port}/` };
  const body = httpMonitor({ config, intervalSeconds, ...changes });
  const { monitor } = (await rest('POST', '/api/v1/monitors', { token, body })).body;
  const { id } = monitor;
  const { num: monitorNum } = await db.monitor.findUniqueOrThrow({ where: { id } });
  const now = Date.now();
  const startedAt = new Date(now - 5 * HOUR_MS);
  const lastCheckedAt = new Date(now - checkedMinutesAgo * MINUTE_MS);
  await db.statusSpan.deleteMany({ where: { monitorNum } });
  await db.statusSpan.create({ data: { monitorNum, startedAt, status: 'up' } });
  const seen = { status: 'up', statusSince: startedAt, lastCheckedAt } as const;
  await db.monitorState.updateMany({ where: { monitorId: id }, data: seen });
  return { id, num: monitorNum };
}

async function edit(id: string, body: Record<string, unknown>): Promise<void> {
  expect((await rest('PUT', `/api/v1/monitors/${id}`, { token, body })).status).toBe(200);
}

/** A check by this process, whose region is "default". */
async function check(id: string): Promise<void> {
  expect((await rest('POST', `/dashboard/monitors/${id}/check`, { token })).status).toBe(200);
}

async function uptime(id: string): Promise<{ upMinutes: number; unknownMinutes: number }> {
  const { body } = await rest('GET', `/api/v1/monitors/${id}/uptime`, { token });
  const { upSeconds, unknownSeconds } = body.uptime;
  return { upMinutes: Math.round(upSeconds / 60), unknownMinutes: Math.round(unknownSeconds / 60) };
}

const run = () => runJob(rollUpHistory, { rebuild: true }, { now: new Date() });
const hours = async (monitorNum: number) => {
  const rows = await db.checkHour.findMany({ where: { monitorNum }, orderBy: { hour: 'asc' } });
  return rows.map(({ hour, upMs, unknownMs }) => ({ hour, upMs, unknownMs }));
};

describe('changing the interval of a monitor', () => {
  it('keeps the recorded past when it is shortened, before the next check and after it', async () => {
    const { id, num } = await upFor(3_600, 50);
    expect(await uptime(id)).toEqual({ upMinutes: 300, unknownMinutes: 0 });
    await edit(id, { intervalSeconds: 60 });
    expect(await uptime(id)).toEqual({ upMinutes: 300, unknownMinutes: 0 });
    await edit(id, { intervalSeconds: 30 });
    expect(await uptime(id)).toEqual({ upMinutes: 300, unknownMinutes: 0 });
    await check(id);
    expect(await uptime(id)).toEqual({ upMinutes: 300, unknownMinutes: 0 });
    expect(await readSpans(num)).toEqual(['up']);
  });

  it('does not fill time without checks when it is extended', async () => {
    const { id, num } = await upFor(60, 50);
    const { upMinutes, unknownMinutes } = await uptime(id);
    expect({ upMinutes, unknownMinutes }).toEqual({ upMinutes: 252, unknownMinutes: 48 });
    await edit(id, { intervalSeconds: 3_600 });
    expect(await uptime(id)).toEqual({ upMinutes, unknownMinutes });
    await check(id);
    expect(await uptime(id)).toEqual({ upMinutes, unknownMinutes });
    expect(await readSpans(num)).toEqual(['up', 'unknown', 'up']);
  });

  it('keeps the past if the timeout changes with it', async () => {
    const { id } = await upFor(20, 1, { config: { url: `http://127.0.0.1:${target.port}/`, timeoutMs: 60_000 } });
    await edit(id, { intervalSeconds: 5, config: { url: `http://127.0.0.1:${target.port}/`, timeoutMs: 1_000 } });
    expect(await uptime(id)).toEqual({ upMinutes: 300, unknownMinutes: 0 });
    await check(id);
    expect(await uptime(id)).toEqual({ upMinutes: 300, unknownMinutes: 0 });
  });

  it('keeps the past if a pause follows', async () => {
    const { id, num } = await upFor(3_600, 50);
    await edit(id, { intervalSeconds: 60 });
    await edit(id, { isActive: false });
    expect(await readSpans(num)).toEqual(['up', 'paused']);
  });

  it('keeps roll-ups', async () => {
    const { id, num } = await upFor(86_400, 200);
    await run();
    const before = await hours(num);
    expect(before.length).toBeGreaterThanOrEqual(4);
    expect(before.every(({ unknownMs }) => !unknownMs)).toBe(true);
    await edit(id, { intervalSeconds: 60 });
    await run();
    expect((await hours(num)).slice(0, before.length)).toEqual(before);
  });

  it('keeps the votes of regions that had checked in time when it is shortened', async () => {
    const { id, num } = await upFor(3_600, 50, { regions: ['default', 'far'] });
    await edit(id, { intervalSeconds: 60 });
    const { body } = await rest('GET', `/api/v1/monitors/${id}/detail`, { token });
    expect(body.regions).toMatchObject([{ status: 'up' }, { status: 'up' }]);
    await check(id);
    expect(await uptime(id)).toEqual({ upMinutes: 300, unknownMinutes: 0 });
    expect(await readSpans(num)).toEqual(['up']);
  });
});
