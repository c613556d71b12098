import pg from 'pg';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { readChart } from '@/server/history/monitor/chart';
import { dayStrip, dayTimes, readHistories, uptimeIn } from '@/server/history/read-histories';
import { rollUp } from '@/server/history/roll-up';
import { outagesIn, stripFromSpans, timeIn, timeInParts, toUptime } from '@/server/history/uptime';
import { getMonitorDetail } from '@/server/monitors/get-monitor-detail';
import { listOverview } from '@/server/monitors/list/list-overview';
import { db } from '@/server/platform/db';
import type { MonitorStatus } from '@/server/platform/generated/prisma/client';
import { newId } from '@/server/platform/ids';
import { readPublicPage } from '@/server/status-pages/read-public-page';
import { readWeekFigures } from '@/server/summaries/week-figures';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';
import { makeMonitors, makeTeam } from '../checks/monitors';
import { wholePast } from './whole-past';

afterEach(async () => {
  await db.team.deleteMany();
});

interface Past {
  monitors: number;
  changes: number;
  statuses: MonitorStatus[];
  /** Exclusions and periods of maintenance, of each. */
  covers: number;
}

/** Monitors that changed their status all through the last three days, most of it today. */
async function makeRestless({ monitors: count, changes, statuses, covers }: Past) {
  const teamId = await makeTeam();
  const options = { url: 'http://shop.test/', intervalSeconds: 60 };
  const monitors = await makeMonitors(teamId, new Array(count).fill(options));
  const nums = monitors.map(({ num }) => num);
  await db.statusSpan.deleteMany({ where: { monitorNum: { in: nums } } });
  await db.$executeRaw`
    insert into status_spans (monitor_num, started_at, ended_at, status)
    select num, at, lead(at) over (partition by num order by at), (${statuses}::text[])[1 + i % ${statuses.length}::int]::monitor_status
    from unnest(${nums}::int[]) num cross join lateral (
      select i, date_trunc('milliseconds', now() - interval '3 days' * power((${changes}::int - i)::float / ${changes}::int, 2)) as at
      from generate_series(0, ${changes}::int - 1) i
    ) s`;
  await db.$executeRaw`
    insert into uptime_exclusions (id, team_id, monitor_id, starts_at, ends_at, reason, author_name)
    select m.id || i, m.team_id, m.id, at, at + interval '40 s', 'Drill', 'Kim'
    from monitors m cross join generate_series(1, ${covers}::int) i cross join lateral (select now() - i * interval '101 s' as at) a
    where m.team_id = ${teamId}`;
  await db.$executeRaw`
    insert into maintenance_periods (monitor_num, window_id, starts_at, ends_at, checks)
    select num, 'window', at, at + interval '90 s', 'continue'
    from unnest(${nums}::int[]) num cross join generate_series(1, ${covers}::int) i
    cross join lateral (select now() - i * interval '171 s' as at) a`;
  const lastCheckedAt = new Date(Date.now() - 10 * 60_000);
  await db.monitorState.updateMany({ where: { teamId }, data: { lastCheckedAt } });
  return { teamId, monitors: monitors.map((monitor) => ({ ...monitor, lastCheckedAt })) };
}

type Answered = (error: unknown, result?: pg.QueryResult) => void;

/** The size of all rows that the database returns during `work`, as JSON. */
async function bytesRead(work: () => Promise<unknown>): Promise<number> {
  let bytes = 0;
  const count = (result?: pg.QueryResult) => {
    bytes += JSON.stringify(result?.rows ?? []).length;
  };
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  const counted = function (this: pg.Client, ...args: unknown[]) {
    const answered = args.at(-1);
    if (typeof answered !== 'function')
      return (query.apply(this, args) as Promise<pg.QueryResult>).then((result) => {
        count(result);
        return result;
      });
    return query.apply(this, [
      ...args.slice(0, -1),
      (error: unknown, result?: pg.QueryResult) => {
        count(result);
        (answered as Answered)(error, result);
      },
    ]);
  };
  const spy = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(counted as never);
  try {
    await work();
    return bytes;
  } finally {
    spy.mockRestore();
  }
}

const ALL: MonitorStatus[] = ['up', 'down', 'paused', 'degraded', 'down', 'unknown', 'up', 'pending'];

describe('a monitor with many changes', () => {
  it.each([
    ['changes', { changes: 1_500, statuses: ALL, covers: 0 }],
    ['changes, ending in a downtime', { changes: 1_502, statuses: ALL, covers: 30 }],
    ['exclusions and maintenance', { changes: 21, statuses: ALL, covers: 400 }],
    ['changes, exclusions and maintenance', { changes: 1_505, statuses: ALL, covers: 700 }],
  ])('has the same figures as all of its rows say: %s', async (_name, past) => {
    const { monitors } = await makeRestless({ monitors: 2, ...past });
    for (const monitor of monitors) {
      const known = await wholePast(monitor);
      const now = new Date();
      const ago = (ms: number) => new Date(now.getTime() - ms);
      const day = { from: ago(DAY_MS), to: now };
      const ranges = [day, { from: ago(2 * DAY_MS + 1), to: now }, { from: ago(7 * DAY_MS), to: ago(DAY_MS) }];
      const read = await readHistories(db, monitors, [{ ...day, partMs: DAY_MS / 48 }, ...ranges]);
      const history = read.get(monitor.num);
      if (!history) throw new Error('There is no history.');
      expect(history.known).toMatchObject({ spans: [], exclusions: [], maintenance: [] });
      const first = Math.floor(now.getTime() / DAY_MS) - 6;
      const bars = { from: new Date(first * DAY_MS), to: new Date((first + 7) * DAY_MS), parts: 7, now };
      expect({
        uptimes: ranges.map((range) => uptimeIn(history, range)),
        strip: stripFromSpans(history.known, { ...day, parts: 48, now }),
        bars: dayStrip(history, first, 7, now),
        days: dayTimes(history, first, 6, now),
      }).toEqual({
        uptimes: ranges.map((range) => toUptime(timeIn(known, range))),
        strip: stripFromSpans(known, { ...day, parts: 48, now }),
        bars: stripFromSpans(known, bars),
        days: timeInParts(known, { from: bars.from, partMs: DAY_MS, parts: 6 }),
      });
      const { chart } = await readChart(db, monitor, '24h', now);
      const from = new Date(chart.from);
      const parts = chart.points.length;
      const to = new Date(from.getTime() + parts * chart.bucketSeconds * 1000);
      expect(chart.points.map(({ status }) => status)).toEqual(stripFromSpans(known, { from, to, parts, now }));
      const outages = outagesIn(known, { from, to: now }).slice(-chart.outages.length);
      expect(chart.outages.map((each) => [each.from, each.to])).toEqual(
        outages.map((each) => [each.from.toISOString(), each.to?.toISOString() ?? null]),
      );
      expect(chart.outages.length).toBeGreaterThan(0);
    }
  });

  it('brings as many bytes from the database as the answer needs, not as many as there are changes', async () => {
    const { teamId, monitors } = await makeRestless({
      monitors: 10,
      changes: 4_000,
      statuses: ['up', 'down'],
      covers: 900,
    });
    const [monitor] = monitors;
    if (!monitor) throw new Error('There is no monitor.');
    const slug = 'page';
    const components = monitors.map(({ id }, position) => ({ monitorId: id, position }));
    await db.statusPage.create({
      data: { id: newId(), teamId, slug, title: 'Page', monitors: { create: components } },
    });
    const now = new Date();
    const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
    const week = { from: ago(7), to: now, previousFrom: ago(14) };
    const hour = Math.floor(now.getTime() / HOUR_MS);
    const view = { canWrite: false } as never;
    const works: Record<string, () => Promise<unknown>> = {
      overview: () => listOverview(db, teamId, { limit: 100 }),
      page: () => readPublicPage(db, slug),
      summary: () => readWeekFigures(db, { id: teamId, name: 'Team' }, week),
      hours: () => rollUp(db, 'hour', monitors, { from: hour - 24, to: hour, sourceFrom: hour }),
      detail: () => getMonitorDetail(db, teamId, { id: monitor.id, range: '24h' }, view),
      chart: () => readChart(db, monitor, '90d', now),
    };
    const sizes: Record<string, number> = {};
    for (const [name, work] of Object.entries(works)) sizes[name] = await bytesRead(work);
    // 4,000 spans of a monitor are 200 KB.
    for (const [name, size] of Object.entries(sizes)) {
      expect(size, name).toBeGreaterThan(500);
      expect(size, name).toBeLessThan(100_000);
    }
  });
});
