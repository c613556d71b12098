import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { checkNow, tryNow } from '@/server/checks/run/check-now';
import { claimDue } from '@/server/checks/schedule/claim';
import { toCheck } from '@/server/history/monitor/to-check';
import { Check } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { CostlyTurns } from '@/server/platform/net';
import { ownState } from '@/tests/support/own-state';
import { makeMonitor, makeTeam, readSpans, readState } from './monitors';
import { httpTarget, type Target } from './targets';

let target: Target;
let teamId: string;
let statusCode = 200;
let hits = 0;
let open = 0;
let mostOpen = 0;

beforeAll(async () => {
  target = await httpTarget((_request, response) => {
    hits += 1;
    open += 1;
    mostOpen = Math.max(mostOpen, open);
    setTimeout(() => {
      open -= 1;
      response.writeHead(statusCode).end();
    }, 100);
  });
  teamId = await makeTeam();
});

beforeEach(() => {
  statusCode = 200;
  hits = 0;
  mostOpen = 0;
});

afterAll(() => target.close());

const make = (config: Record<string, unknown> = {}, regions: string[] = []) =>
  makeMonitor(teamId, {
    url: `http://127.0.0.1:${target.port}/`,
    config: { confirm: { failures: 2, recoveries: 1, retryDelayMs: 100 }, ...config },
    regions,
  });

describe('Check now', () => {
  it('returns the stored check, which counts', async () => {
    const monitor = await make();
    const check = await checkNow(monitor);
    expect(Check.parse(check)).toEqual(check);
    expect(check).toMatchObject({ monitorId: monitor.id, status: 'up', statusCode: 200, error: null });
    expect(check.id).toMatch(/^[0-9A-HJKMNP-TV-Z]{26}$/);
    const [stored] = await db.check.findMany({ where: { monitorNum: monitor.num } });
    expect(stored && toCheck(monitor.id, stored)).toEqual(check);
    expect(await readState(monitor.id)).toMatchObject({ status: 'up', lastCheckedAt: new Date(check.at) });
    expect(await readSpans(monitor.num)).toEqual(['pending', 'up']);
  });

  it('opens, confirms and resolves incidents', async () => {
    const monitor = await make();
    statusCode = 500;
    expect(await checkNow(monitor)).toMatchObject({ status: 'down', error: 'Expected status 200-299, got 500' });
    expect(await db.incident.count({ where: { monitorId: monitor.id } })).toBe(0);
    await checkNow(monitor);
    expect(await db.incident.count({ where: { monitorId: monitor.id, status: 'open' } })).toBe(1);
    statusCode = 200;
    await checkNow(monitor);
    expect(await db.incident.findMany({ where: { monitorId: monitor.id } })).toMatchObject([{ status: 'resolved' }]);
  });

  it('opens one incident for concurrent requests', async () => {
    const monitor = await make();
    statusCode = 500;
    const many = () => Promise.all(Array.from({ length: 8 }, () => checkNow(monitor)));
    await many();
    await many();
    expect(await db.incident.count({ where: { monitorId: monitor.id } })).toBe(1);
    expect(await readSpans(monitor.num)).toEqual(['pending', 'down']);
  });

  it('runs one check for concurrent requests, and another for later ones', async () => {
    const monitor = await make();
    const checks = await Promise.all(Array.from({ length: 150 }, () => checkNow(monitor)));
    expect(new Set(checks.map(({ id }) => id)).size).toBe(1);
    expect(hits).toBe(1);
    await checkNow(monitor);
    expect(hits).toBe(2);
  });

  it('runs at most 20 checks of a host at once', async () => {
    const monitors = await Promise.all(Array.from({ length: 50 }, () => make()));
    const checks = await Promise.all(monitors.map((monitor) => checkNow(monitor)));
    expect(checks.every(({ status }) => status === 'up')).toBe(true);
    expect([hits, mostOpen]).toEqual([50, 20]);
  });

  it('keeps the claim of a worker', async () => {
    const monitor = await make();
    await db.monitorState.updateMany({ where: { monitorId: { not: monitor.id } }, data: { dueAt: null } });
    await claimDue('worker', 'test', 1_000, 10);
    const before = await readState(monitor.id);
    await checkNow(monitor);
    const { claimedBy, claimedUntil, dueAt } = before;
    expect(await readState(monitor.id)).toMatchObject({ status: 'up', claimedBy, claimedUntil, dueAt });
    expect(claimedBy).toBe('worker');
  });

  it.each([
    ['any region', []],
    ['this region', ['default']],
  ])('shows a check of a paused monitor, checked from %s, without counting it', async (_where, regions) => {
    const monitor = await make({}, regions);
    await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data: { dueAt: null } });
    await db.monitorState.update({ where: ownState(monitor.id), data: { status: 'paused' } });
    expect(await checkNow(monitor)).toMatchObject({ status: 'up' });
    expect(await db.check.count({ where: { monitorNum: monitor.num } })).toBe(0);
    expect(await readState(monitor.id)).toMatchObject({ status: 'paused', lastCheckedAt: null });
    expect(await db.monitorState.count({ where: { monitorId: monitor.id, lastCheckedAt: null } })).toBe(
      1 + regions.length,
    );
  });

  it.each([
    ['a check', checkNow],
    ['a test of settings', tryNow],
  ])('refuses %s that does not begin in time because other targets of its team are costly', async (_name, run) => {
    const costly = await makeTeam();
    const by = { signal: new AbortController().signal, waitForUs: <T>(wait: () => Promise<T>) => wait() };
    // An hour's share of the thread.
    await new CostlyTurns({ teamId: costly, by }).takeElsewhere(async () => {}, 180_000);
    const url = `http://127.0.0.1:${target.port}/`;
    const monitor = await makeMonitor(costly, { url });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true });
    try {
      const refused = expect(run(monitor)).rejects.toMatchObject({ code: 'RATE_LIMITED', retryAfterSeconds: 60 });
      await vi.advanceTimersByTimeAsync(35_000);
      await refused;
    } finally {
      vi.useRealTimers();
    }
  });
});
