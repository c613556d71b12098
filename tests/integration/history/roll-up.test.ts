import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { writeSpans } from '@/server/checks/record/write-spans';
import { keepCheckDays } from '@/server/history/keep-check-days';
import { readPoints } from '@/server/history/latency/read-check-latency';
import { readLatency } from '@/server/history/latency/read-latency';
import { readP95 } from '@/server/history/latency/read-p95';
import { dayStrip, readHistories, uptimeIn } from '@/server/history/read-histories';
import { rollUpHistory } from '@/server/history/roll-up-history';
import { stripFromSpans, timeIn, toUptime } from '@/server/history/uptime';
import type { MonitorStatus } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { DAY_MS } from '@/server/time/schema';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { addChecks } from '@/tests/support/checks';
import { ownState } from '@/tests/support/own-state';
import { runJob } from '@/tests/support/run-job';
import { makeMonitor, makeTeam } from '../checks/monitors';
import { wholePast } from './whole-past';

const HOUR_MS = 3_600_000;
/** Noon, so that the hours around it belong to one day. */
const NOW = new Date(Math.floor(Date.now() / DAY_MS) * DAY_MS + 12.5 * HOUR_MS);
const ago = (ms: number) => new Date(NOW.getTime() - ms);

// Weeks are rolled up hour by hour, with pauses as long as the work.
vi.setConfig({ testTimeout: 60_000 });

/** Fixes the date at noon; timers continue. */
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(async () => {
  vi.useRealTimers();
  await db.team.deleteMany();
  await db.rollUpMark.deleteMany();
});

const run = (payload: { rebuild?: boolean } = {}) => runJob(rollUpHistory, payload, { now: new Date() });

/** Small pseudo-random numbers, the same in every run. */
function chance(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

const statuses: MonitorStatus[] = ['up', 'down', 'degraded', 'unknown', 'maintenance', 'paused'];

/** A monitor with `days` days of history whose status changes every few hours. */
async function makeRestless(days: number, seed: number) {
  const monitor = await makeMonitor(await makeTeam(), { url: 'http://shop.test/', intervalSeconds: 60 });
  await db.statusSpan.deleteMany({ where: { monitorNum: monitor.num } });
  const next = chance(seed);
  const starts: number[] = [];
  for (let at = days * DAY_MS; at > 60_000; at -= Math.ceil(next() * 9 * HOUR_MS)) starts.push(at);
  await db.statusSpan.createMany({
    data: starts.map((at, index) => {
      const end = starts[index + 1];
      const status = statuses[Math.floor(next() * statuses.length)] ?? 'up';
      return { monitorNum: monitor.num, status, startedAt: ago(at), endedAt: end === undefined ? null : ago(end) };
    }),
  });
  await db.monitorState.update({ where: ownState(monitor.id), data: { lastCheckedAt: ago(10_000) } });
  return { ...monitor, lastCheckedAt: ago(10_000) };
}

const ranges = [1, 7, 30, 90].map((days) => ({ from: ago(days * DAY_MS), to: NOW }));

/** Uptimes and bars as the product reads them, and as computed only from spans. */
async function bothWays(monitor: Awaited<ReturnType<typeof makeRestless>>) {
  const history = (await readHistories(db, [monitor], ranges)).get(monitor.num);
  const known = await wholePast(monitor);
  if (!history) throw new Error('There is no history.');
  const today = Math.floor(NOW.getTime() / DAY_MS);
  const bars = { from: new Date((today - 89) * DAY_MS), to: new Date((today + 1) * DAY_MS), parts: 90, now: NOW };
  return {
    openDay: history.openDay,
    read: [...ranges.map((range) => uptimeIn(history, range)), dayStrip(history, today - 89, 90, NOW)],
    spans: [...ranges.map((range) => toUptime(timeIn(known, range))), stripFromSpans(known, bars)],
  };
}

const addLatencies = (monitorNum: number, latencies: { at: Date; latencyMs: number | null }[]) =>
  addChecks(
    latencies.map((each) => ({
      ...each,
      monitorNum,
      region: 'default',
      status: each.latencyMs === null ? 'down' : 'up',
    })),
  );

describe('uptime', () => {
  it('is the same from roll-ups as from spans, to the millisecond', async () => {
    const monitors = [await makeRestless(100, 7), await makeRestless(20, 8)];
    await db.uptimeExclusion.createMany({
      data: monitors.flatMap(({ id, teamId }) =>
        [3.3, 15, 15.2, 60].map((days) => ({
          id: newId(),
          teamId,
          monitorId: id,
          reason: 'Fire drill',
          authorName: 'Kim',
          startsAt: ago(days * DAY_MS),
          endsAt: ago((days - 0.5) * DAY_MS),
        })),
      ),
    });
    for (const monitor of monitors) expect((await bothWays(monitor)).openDay).toBe(0);
    await run();
    for (const monitor of monitors) {
      const { openDay, read, spans } = await bothWays(monitor);
      expect(openDay).toBe(Math.floor(NOW.getTime() / DAY_MS));
      expect(read).toEqual(spans);
      expect(read[2]).toMatchObject({ excludedSeconds: expect.any(Number) });
    }
    // The product reads the roll-ups: changed roll-ups change its answer.
    const num = monitors[0]?.num ?? 0;
    await db.checkDay.updateMany({ where: { monitorNum: num }, data: { downMs: 1 } });
    const [first] = monitors;
    const changed = first && (await bothWays(first));
    expect(changed?.read).not.toEqual(changed?.spans);
  });

  it('is correct at once if past spans change, and rolled up again by the next run', async () => {
    const monitor = await makeRestless(40, 9);
    await run();
    const [before] = (await bothWays(monitor)).read.slice(2);
    await db.$transaction((tx) =>
      writeSpans(tx, [{ monitorNum: monitor.num, spans: [{ status: 'down', startedAt: ago(5 * DAY_MS) }] }]),
    );
    const stale = await bothWays(monitor);
    expect(stale.openDay).toBe(Math.floor(ago(5 * DAY_MS).getTime() / DAY_MS));
    expect(stale.read).toEqual(stale.spans);
    expect(stale.read[2]).not.toEqual(before);
    await run();
    const mended = await bothWays(monitor);
    expect(mended.openDay).toBe(Math.floor(NOW.getTime() / DAY_MS));
    expect(mended.read).toEqual(mended.spans);
  });

  it('is correct before anything is rolled up, if past spans change', async () => {
    const monitor = await makeRestless(40, 10);
    await db.$transaction((tx) =>
      writeSpans(tx, [{ monitorNum: monitor.num, spans: [{ status: 'down', startedAt: ago(5 * DAY_MS) }] }]),
    );
    const { openDay, read, spans } = await bothWays(monitor);
    expect(openDay).toBe(0);
    expect(read).toEqual(spans);
  });
});

describe('latency', () => {
  const part = { partMs: HOUR_MS, parts: 48 };
  const from = new Date(Math.floor(ago(47 * HOUR_MS).getTime() / HOUR_MS) * HOUR_MS);

  it('is at most 5 % off, per hour and in total, in rolled-up and open hours alike', async () => {
    const monitor = await makeRestless(3, 10);
    const next = chance(11);
    const checks = Array.from({ length: 2_000 }, (_, index) => {
      return { at: ago(60_000 + index * 80_000), latencyMs: index % 50 === 0 ? null : Math.floor(10 ** (5 * next())) };
    });
    await addLatencies(monitor.num, checks);
    const raw = await readLatency(db, monitor.num, { from, ...part });
    await run();
    expect(await db.checkHour.count({ where: { monitorNum: monitor.num } })).toBeGreaterThan(40);
    const rolled = await readLatency(db, monitor.num, { from, ...part });
    expect(rolled).toEqual(raw);
    const exact = (since: Date, until: Date, share: number) => {
      const values = checks
        .filter(({ at, latencyMs }) => latencyMs !== null && at >= since && at < until)
        .map(({ latencyMs }) => latencyMs ?? 0)
        .sort((a, b) => a - b);
      return values[Math.ceil(share * values.length) - 1] ?? Number.NaN;
    };
    const isClose = (found: number | null, wanted: number) =>
      expect(Math.abs((found ?? Number.NaN) - wanted)).toBeLessThanOrEqual(0.05 * wanted);
    isClose(rolled.overall.p50, exact(from, NOW, 0.5));
    isClose(rolled.overall.p99, exact(from, NOW, 0.99));
    for (const { at, p95 } of rolled.parts.slice(4)) isClose(p95, exact(at, new Date(at.getTime() + HOUR_MS), 0.95));
    isClose(
      (await readP95(db, [monitor.num], NOW)).get(monitor.num) ?? null,
      exact(ago(24.5 * HOUR_MS), ago(0.5 * HOUR_MS), 0.95),
    );
  });

  it('covers successful checks alone, in roll-ups, open hours and raw results', async () => {
    const monitor = await makeRestless(3, 16);
    const failed = { monitorNum: monitor.num, region: 'default', status: 'down' as const, latencyMs: 5 };
    await addChecks([3 * HOUR_MS, 2 * HOUR_MS, 60_000].map((ms) => ({ ...failed, at: ago(ms) })));
    const p95 = async () => (await readP95(db, [monitor.num], NOW)).get(monitor.num) ?? null;
    const overall = async () => (await readLatency(db, monitor.num, { from, ...part })).overall;
    const raw = () => readPoints(db, monitor.num, { from, parts: 48, bucketSeconds: 3600 });
    const none = { p50: null, p95: null, p99: null };
    expect([await p95(), await overall(), (await raw()).overall]).toEqual([null, none, none]);
    await run();
    expect([await p95(), await overall()]).toEqual([null, none]);
    await addLatencies(monitor.num, [{ at: ago(30_000), latencyMs: 9 }]);
    expect([(await overall()).p95, (await raw()).overall.p95]).toEqual([9, 9]);
  });

  it('counts late results, and survives the raw results through a rebuild', async () => {
    const monitor = await makeRestless(20, 12);
    const old = ago(10 * DAY_MS);
    await addLatencies(monitor.num, [
      { at: old, latencyMs: 100 },
      { at: ago(HOUR_MS), latencyMs: 100 },
    ]);
    await run();
    await addLatencies(monitor.num, [{ at: ago(1.2 * HOUR_MS), latencyMs: 9_000 }]);
    vi.setSystemTime(NOW.getTime() + HOUR_MS);
    await run();
    const counted = async (unit: 'checkHour' | 'checkDay') => {
      const where = { monitorNum: monitor.num };
      const rows =
        unit === 'checkHour' ? await db.checkHour.findMany({ where }) : await db.checkDay.findMany({ where });
      return rows.reduce((sum, { checks }) => sum + checks, 0);
    };
    expect([await counted('checkHour'), await counted('checkDay')]).toEqual([3, 1]);
    vi.setSystemTime(NOW.getTime() + 6 * DAY_MS);
    await run();
    await runJob(keepCheckDays, {}, { now: new Date() });
    expect(await db.check.count({ where: { monitorNum: monitor.num } })).toBe(2);
    await run({ rebuild: true });
    expect([await counted('checkHour'), await counted('checkDay')]).toEqual([3, 3]);
  });

  it('is rolled up again if a rebuild finds it wrong', async () => {
    const monitor = await makeRestless(20, 13);
    await addLatencies(monitor.num, [{ at: ago(2 * DAY_MS), latencyMs: 100 }]);
    await run();
    const where = { monitorNum: monitor.num };
    const all = async () => [
      await db.checkHour.findMany({ where, orderBy: { hour: 'asc' } }),
      await db.checkDay.findMany({ where, orderBy: { day: 'asc' } }),
    ];
    const before = await all();
    const recent = { gte: Math.floor(ago(2 * DAY_MS).getTime() / HOUR_MS) };
    await db.checkHour.updateMany({ where: { monitorNum: monitor.num, hour: recent }, data: { checks: 77, upMs: 77 } });
    await db.checkDay.deleteMany({ where: { monitorNum: monitor.num } });
    await run({ rebuild: true });
    expect(await all()).toEqual(before);
  });
});

describe('retention', () => {
  it('keeps days and spans as long as the plan says, and hours a little more than a month', async () => {
    const monitors = [await makeRestless(60, 14), await makeRestless(60, 15)];
    const [free, hosted] = monitors.map(({ num }) => num);
    await db.team.update({ where: { id: monitors[0]?.teamId ?? '' }, data: { plan: 'free' } });
    await run();
    vi.setSystemTime(NOW.getTime() + DAY_MS);
    await run();
    const today = Math.floor(Date.now() / DAY_MS);
    const first = async (monitorNum = 0) => {
      const hour = await db.checkHour.aggregate({ where: { monitorNum }, _min: { hour: true } });
      const day = await db.checkDay.aggregate({ where: { monitorNum }, _min: { day: true } });
      const span = await db.statusSpan.aggregate({ where: { monitorNum }, _min: { endedAt: true } });
      const spanDay = Math.floor((span._min.endedAt?.getTime() ?? 0) / DAY_MS);
      return [today - Math.floor((hour._min.hour ?? 0) / 24), today - (day._min.day ?? 0), today - spanDay];
    };
    const [hours, days, spans] = await first(free);
    expect(hours).toBeLessThanOrEqual(35);
    expect(days).toBe(30);
    expect(spans).toBeLessThanOrEqual(30);
    const [hostedHours, hostedDays, hostedSpans] = await first(hosted);
    expect(hostedHours).toBe(35);
    expect(hostedDays).toBe(61);
    expect(hostedSpans).toBeGreaterThan(55);
    await db.monitor.deleteMany();
    await runJob(removeDeleted, {});
    expect([await db.checkHour.count(), await db.checkDay.count(), await db.staleRollUp.count()]).toEqual([0, 0, 0]);
  });
});
