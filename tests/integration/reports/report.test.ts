import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LOWER_BOUNDS } from '@/server/history/latency/histogram';
import { db } from '@/server/platform/db';
import { DAY_MS } from '@/server/time/schema';
import { as, httpMonitor, type Person, signUp } from '@/tests/support/rest';

let owner: Person;
let outsider: Person;
const ids: Record<string, string> = {};
const today = Math.floor(Date.now() / DAY_MS);
const day = (offset: number) => new Date((today + offset) * DAY_MS).toISOString().slice(0, 10);
/** A histogram of `count` responses that took this long. */
function histogram(ms: number, count: number): Uint8Array<ArrayBuffer> {
  const bucket = LOWER_BOUNDS.findLastIndex((bound) => bound <= ms);
  return Uint8Array.from([bucket, count >> 8, count & 255]);
}

/** A monitor with ten rolled-up days before today: `downMs` down on the last of them. */
async function make(name: string, tags: string[], downMs: number, latencyMs: number): Promise<void> {
  const { body } = await as(owner.token)('POST', '/api/v1/monitors', httpMonitor({ name, tags }));
  const { id } = body.monitor;
  ids[name] = id;
  const { num } = await db.monitor.findUniqueOrThrow({ where: { id }, select: { num: true } });
  await db.checkDay.createMany({
    data: Array.from({ length: 10 }, (_, at) => {
      const down = at === 9 ? downMs : 0;
      return {
        monitorNum: num,
        day: today - 10 + at,
        checks: 1440,
        latencies: histogram(latencyMs, 1440),
        upMs: DAY_MS - down,
        downMs: down,
      };
    }),
  });
}

beforeAll(async () => {
  owner = await signUp('Ada');
  outsider = await signUp('Eve');
  await db.rollUpMark.upsert({ where: { id: 1 }, create: { id: 1, hour: today * 24 }, update: { hour: today * 24 } });
  await make('Shop', ['eu'], 432_000, 100);
  await make('Blog', ['eu'], 0, 200);
  await make('Docs', [], 864_000 * 2, 400);
});
afterAll(async () => {
  await db.team.deleteMany();
  await db.rollUpMark.deleteMany();
});

const read = async (query: string, person = owner) =>
  as(person.token)('GET', `/api/v1/report?firstDay=${day(-10)}&lastDay=${day(-1)}${query}`);

describe('a report', () => {
  it('compares the uptime of each monitor with the objective, the worst first', async () => {
    const { status, body } = await read('&objective=99.9');
    expect(status).toBe(200);
    expect(body).toMatchObject({ from: `${day(-10)}T00:00:00.000Z`, to: `${day(0)}T00:00:00.000Z`, isComplete: true });
    // Ten days allow 864 s of downtime at 99.9 %.
    expect(body.monitors).toMatchObject([
      { name: 'Docs', budgetSeconds: 864, downSeconds: 1728, leftSeconds: -864, burnRate: 2 },
      { name: 'Shop', budgetSeconds: 864, downSeconds: 432, leftSeconds: 432, burnRate: 0.5, ratio: 0.9995 },
      { name: 'Blog', budgetSeconds: 864, downSeconds: 0, leftSeconds: 864, burnRate: 0, ratio: 1 },
    ]);
  });

  it('sums up all of them, weighted by time', async () => {
    const { overall } = (await read('')).body;
    expect(overall).toMatchObject({ upSeconds: 3 * 864_000 - 2160, downSeconds: 2160, budgetSeconds: 2592 });
    expect(overall.leftSeconds).toBeCloseTo(432, 3);
    expect(overall.p50Ms).toBeGreaterThan(189);
    expect(overall.p50Ms).toBeLessThan(211);
    expect(overall.p95Ms).toBeGreaterThan(379);
  });

  it('covers the monitors of a tag, or those that are named', async () => {
    const names = async (query: string, person = owner) =>
      (await read(query, person)).body.monitors.map(({ name }: { name: string }) => name);
    expect(await names('&tag=eu')).toEqual(['Shop', 'Blog']);
    expect(await names(`&monitorIds=${ids.Docs},${ids.Blog}`)).toEqual(['Docs', 'Blog']);
    expect(await names(`&monitorIds=${ids.Docs}`, outsider)).toEqual([]);
    const { body } = await read(`&monitorIds=${ids.Docs},nothing,nothing`, owner);
    expect(body).toMatchObject({ missing: 1, monitors: [{ name: 'Docs' }] });
    expect(await names('&tag=none')).toEqual([]);
  });

  it('counts only the asked days', async () => {
    const { body } = await as(owner.token)('GET', `/api/v1/report?firstDay=${day(-10)}&lastDay=${day(-2)}`);
    expect(body.overall).toMatchObject({ downSeconds: 0, burnRate: 0 });
  });

  it('says nothing of days without data', async () => {
    const { body } = await as(owner.token)('GET', `/api/v1/report?firstDay=${day(-40)}&lastDay=${day(-30)}`);
    const nothing = { ratio: null, budgetSeconds: null, leftSeconds: null, burnRate: null, p95Ms: null };
    expect(body.overall).toMatchObject(nothing);
    expect(body.monitors[0]).toMatchObject(nothing);
  });

  it.each([
    ['firstDay=2026-01-02&lastDay=2026-01-01', 'lastDay'],
    ['firstDay=2024-01-01&lastDay=2026-01-01', 'lastDay'],
    ['firstDay=2026-02-30&lastDay=2026-03-01', 'firstDay'],
    ['firstDay=9000-01-01&lastDay=9000-01-02', 'firstDay'],
    ['firstDay=2026-01-01&lastDay=2026-01-02&objective=100', 'objective'],
    [`firstDay=2026-01-01&lastDay=2026-01-02&monitorIds=${'a,'.repeat(100)}a`, 'monitorIds'],
  ])('refuses %.60s', async (query, path) => {
    const { status, body } = await as(owner.token)('GET', `/api/v1/report?${query}`);
    expect(status).toBe(400);
    expect(body.error.issues[0].path).toBe(path);
  });
});
