import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { addChecks } from '@/tests/support/checks';
import { as, httpMonitor, type Person, signUp } from '@/tests/support/rest';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
let owner: Person;
let outsider: Person;
let monitor: { id: string; num: number };
/** Three hours ago, at a full hour. */
const start = Math.floor((Date.now() - 3 * HOUR_MS) / HOUR_MS) * HOUR_MS;
const iso = (ms: number) => new Date(ms).toISOString();

beforeAll(async () => {
  owner = await signUp('Ada');
  outsider = await signUp('Eve');
  const { id } = (await as(owner.token)('POST', '/api/v1/monitors', httpMonitor())).body.monitor;
  monitor = await db.monitor.update({
    where: { id },
    data: { createdAt: new Date(start - 90 * DAY_MS) },
    select: { id: true, num: true },
  });
  const { num } = monitor;
  await db.statusSpan.deleteMany({ where: { monitorNum: num } });
  await db.statusSpan.createMany({
    data: [
      {
        monitorNum: num,
        status: 'up',
        startedAt: new Date(start - 90 * DAY_MS),
        endedAt: new Date(start + 10 * MINUTE_MS),
      },
      {
        monitorNum: num,
        status: 'down',
        startedAt: new Date(start + 10 * MINUTE_MS),
        endedAt: new Date(start + 20 * MINUTE_MS),
      },
      { monitorNum: num, status: 'up', startedAt: new Date(start + 20 * MINUTE_MS), endedAt: null },
    ],
  });
  await db.maintenancePeriod.create({
    data: {
      monitorNum: num,
      windowId: 'window',
      checks: 'continue',
      startsAt: new Date(start + 30 * MINUTE_MS),
      endsAt: new Date(start + 40 * MINUTE_MS),
    },
  });
  // A check each minute, which takes as many milliseconds as minutes have passed, and one after the span.
  const minutes = [...Array.from({ length: 60 }, (_, minute) => minute), 130];
  await addChecks(
    minutes.map((minute) => ({
      monitorNum: num,
      at: new Date(start + minute * MINUTE_MS + 1_000),
      region: 'default',
      status: 'up' as const,
      latencyMs: minute + 1,
    })),
  );
});
afterAll(() => db.team.deleteMany());

const read = (since: number, until: number, person = owner) =>
  as(person.token)('GET', `/api/v1/monitors/${monitor.id}/chart?since=${iso(since)}&until=${iso(until)}`);

describe('the chart of a span', () => {
  it('has shorter parts the shorter it is, and nothing from outside', async () => {
    const { chart } = (await read(start, start + HOUR_MS)).body;
    expect(chart).toMatchObject({ from: iso(start), to: iso(start + HOUR_MS), bucketSeconds: 60 });
    expect(chart.points).toHaveLength(60);
    expect(chart.points[5]).toMatchObject({ at: iso(start + 5 * MINUTE_MS), p50: 6, status: 'up' });
    expect(chart.overall).toMatchObject({ p50: 30, p99: 60 });
    const [outage, period] = [
      { from: iso(start + 10 * MINUTE_MS), to: iso(start + 20 * MINUTE_MS) },
      { from: iso(start + 30 * MINUTE_MS), to: iso(start + 40 * MINUTE_MS) },
    ];
    expect(chart.outages).toEqual([{ ...outage, incidentId: null }]);
    // The period remains after its window was deleted.
    expect(chart.maintenance).toEqual([{ ...period, windowId: null }]);
    const later = (await read(start + 45 * MINUTE_MS, start + HOUR_MS)).body.chart;
    expect([later.outages, later.maintenance]).toEqual([[], []]);
    expect(later.points).toHaveLength(15);
  });

  it('names the incident of an outage and the window of maintenance', async () => {
    const [outage, period] = [start + 10 * MINUTE_MS, start + 30 * MINUTE_MS];
    const addIncident = (type: 'downtime' | 'degraded', from: number, to: number) =>
      db.incident.create({
        data: {
          id: newId(),
          teamId: owner.teamId,
          monitorId: monitor.id,
          type,
          status: 'resolved',
          startedAt: new Date(from),
          resolvedAt: new Date(to),
        },
      });
    await addIncident('downtime', start, start + 5 * MINUTE_MS);
    await addIncident('degraded', outage, outage + 10 * MINUTE_MS);
    const incident = await addIncident('downtime', outage, outage + 10 * MINUTE_MS);
    await addIncident('downtime', start + 50 * MINUTE_MS, start + 55 * MINUTE_MS);
    const body = {
      title: 'Move',
      startsAt: iso(Date.now() + DAY_MS),
      endsAt: iso(Date.now() + 2 * DAY_MS),
      monitorIds: [monitor.id],
    };
    const { maintenanceWindow } = (await as(owner.token)('POST', '/api/v1/maintenance-windows', body)).body;
    const at = { monitorNum: monitor.num, startsAt: new Date(period) };
    await db.maintenancePeriod.create({
      data: { ...at, windowId: maintenanceWindow.id, checks: 'continue', endsAt: new Date(period + 10 * MINUTE_MS) },
    });
    const { chart } = (await read(start, start + HOUR_MS)).body;
    expect(chart.outages).toMatchObject([{ incidentId: incident.id }]);
    expect(chart.maintenance.map(({ windowId }: { windowId: string }) => windowId)).toContain(maintenanceWindow.id);
  });

  it.each([
    [6 * HOUR_MS, 120],
    [DAY_MS, 300],
    [2 * DAY_MS, 3_600],
    [30 * DAY_MS, 4 * 3_600],
    [366 * DAY_MS, 86_400],
  ])('has a bounded number of parts over %d ms', async (length, bucketSeconds) => {
    const now = Date.now();
    const { chart } = (await read(now - length, now)).body;
    expect(chart.bucketSeconds).toBe(bucketSeconds);
    expect(chart.points.length).toBeLessThanOrEqual(368);
  });

  it('ends now if its end is in the future', async () => {
    const { chart } = (await read(start, Date.now() + DAY_MS)).body;
    expect(chart.from).toBe(iso(start));
    expect(Date.parse(chart.to)).toBeLessThanOrEqual(Date.now());
  });

  it('has whole days where hours are no longer kept', async () => {
    const { chart } = (await read(start - 80 * DAY_MS, start - 80 * DAY_MS + HOUR_MS)).body;
    expect(chart.bucketSeconds).toBe(86_400);
    expect(chart.points.length).toBeLessThanOrEqual(2);
  });

  it('is refused for another team, an empty span, one that is too long, and the future', async () => {
    expect((await read(start, start + HOUR_MS, outsider)).status).toBe(404);
    const pathOf = async (since: number, until: number) => (await read(since, until)).body.error.issues[0].path;
    expect(await pathOf(start, start)).toBe('until');
    expect(await pathOf(start - 367 * DAY_MS, start)).toBe('until');
    expect(await pathOf(Date.now() + HOUR_MS, Date.now() + 2 * HOUR_MS)).toBe('since');
  });
});
