import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { recordResults } from '@/server/checks/record/record';
import { claimDue, releaseClaims } from '@/server/checks/schedule/claim';
import { toPlan } from '@/server/checks/schedule/plan';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { applyToMonitor } from '@/server/maintenance/apply-window';
import { assertFewPeriods } from '@/server/maintenance/assert-few-periods';
import { planAhead } from '@/server/maintenance/plan-ahead';
import { shownStatus } from '@/server/monitor-types/output/shown-status';
import { db } from '@/server/platform/db';
import { countStatements } from '@/tests/support/count-statements';
import { until } from '@/tests/support/receivers';
import { makeKey, rest, signUp } from '@/tests/support/rest';
import { type MonitorOptions, makeDue, makeMonitor, makeMonitors, readState } from '../checks/monitors';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A state has the edges of at most eight periods. */
const MOST_EDGES = 16;

const monitorOptions: MonitorOptions = {
  url: 'http://127.0.0.1:9/',
  config: { confirm: { failures: 1, recoveries: 1 } },
};

interface Team {
  teamId: string;
  key: string;
}

async function makeTeam(): Promise<Team> {
  const person = await signUp();
  return { teamId: person.teamId, key: await makeKey(person) };
}

/** In full seconds, as the times of a rule. */
const start = Math.floor(Date.now() / 1000) * 1000;
const inMinutes = (minutes: number) => new Date(start + minutes * MINUTE).toISOString();

async function createDaily({ key }: Team, from: number, to: number, more: object = {}): Promise<string> {
  const times = { startsAt: inMinutes(from), endsAt: inMinutes(to), recurrence: 'FREQ=DAILY' };
  const answer = await rest('POST', '/api/v1/maintenance-windows', {
    token: key,
    body: { title: 'Work', ...times, ...more },
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.maintenanceWindow.id;
}

/** Has a team's plans end some time ago, as after a pause of all workers. */
async function loseDays({ teamId }: Team, days: number): Promise<void> {
  const ended = new Date(Date.now() - days * DAY);
  await db.maintenanceWindow.updateMany({ where: { teamId }, data: { plannedUntil: ended } });
  await db.maintenancePeriod.deleteMany({ where: { monitor: { teamId }, startsAt: { gte: ended } } });
  await db.monitorState.updateMany({
    where: { teamId },
    data: { maintenance: [], checkPauses: [], plannedUntil: ended },
  });
}

/** Holds a team's row until `work` is done. */
async function whileLocked({ teamId }: Team, work: () => Promise<void>): Promise<void> {
  await db.$transaction(
    async (tx) => {
      await tx.$queryRaw`select 1 from teams where id = ${teamId} for update`;
      await tx.$queryRaw`select 1 from monitor_states where team_id = ${teamId} order by monitor_id, region for update`;
      await work();
    },
    { timeout: 60_000 },
  );
}

const claimed = async () => {
  const { claims, isUnplanned } = await claimDue('worker', 'test', 1_000, 100);
  await releaseClaims('worker');
  return { ids: claims.map(({ monitorId }) => monitorId).sort(), isUnplanned };
};

beforeEach(async () => {
  await db.monitor.deleteMany();
  await db.maintenanceWindow.deleteMany();
});
afterAll(() => db.team.deleteMany());

/** Daily windows of all monitors, which no edge job knows yet. */
async function insertWindows({ teamId }: Team, count: number) {
  await db.$executeRaw`
    insert into maintenance_windows (id, team_id, title, starts_at, ends_at, recurrence, all_monitors, planned_until, updated_at)
    select left(gen_random_uuid()::text, 26), ${teamId}, 'Work', now() + (60 + n) * interval '1 s', now() + (120 + n) * interval '1 s',
      'FREQ=DAILY', true, now() + interval '8 days', now() from generate_series(1, ${count}::int) n`;
}

describe('a monitor beside many windows', () => {
  it('is planned for 200 windows by few more statements than for two', async () => {
    const counts: number[] = [];
    for (const windows of [2, 200]) {
      const team = await makeTeam();
      await insertWindows(team, windows);
      const body = { type: 'http', name: 'New', config: { url: 'http://127.0.0.1:9/' }, isActive: false };
      let id = '';
      counts.push(
        await countStatements(async () => {
          const answer = await rest('POST', '/api/v1/monitors', { token: team.key, body });
          expect(answer.status, JSON.stringify(answer.body)).toBe(201);
          id = answer.body.monitor.id;
        }),
      );
      expect(await db.maintenancePeriod.count({ where: { monitor: { id } } })).toBe(windows * 8);
      const [{ jobs } = { jobs: 0 }] = await db.$queryRaw<{ jobs: number }[]>`
        select count(*)::int as jobs from graphile_worker.jobs
        where key in (select 'maintenance-edge:' || id from maintenance_windows where team_id = ${team.teamId})
          and run_at between now() and now() + interval '6 min'`;
      expect(jobs).toBe(windows);
    }
    expect(counts[1]).toBeLessThan((counts[0] ?? 0) + 20);
  });
});

describe('a team with many windows', () => {
  it('can add no windows or monitors once they plan too many periods', async () => {
    const team = await makeTeam();
    await createDaily(team, 10, 20);
    await makeMonitor(team.teamId, monitorOptions);
    await createDaily(team, 30, 40);
    const assertWith = (windows: number, periods: number) =>
      db.$transaction((tx) => assertFewPeriods(tx, team.teamId, new Date(), { windows, periods }));
    await expect(assertWith(2, 1)).resolves.toBeUndefined();
    await expect(assertWith(1, 100)).resolves.toBeUndefined();
    await expect(assertWith(1, 8)).rejects.toMatchObject({ code: 'PLAN_LIMIT_REACHED' });
  });

  it('has the edges of its states written for a shorter time ahead, and all of them in time', async () => {
    const team = await makeTeam();
    await insertWindows(team, 200);
    const monitor = await makeMonitor(team.teamId, monitorOptions);
    await db.$transaction((tx) => applyToMonitor(tx, team.teamId, monitor, { now: new Date(), mayDiffer: true }));
    const state = await readState(monitor.id);
    const aheadMs = (state.plannedUntil?.getTime() ?? 0) - Date.now();
    expect(aheadMs).toBeGreaterThan(9 * HOUR);
    expect(aheadMs).toBeLessThan(10 * HOUR);
    expect(state.maintenance).toHaveLength(2);
    const next = new Date(Date.now() + DAY);
    await planAhead({ at: next });
    const later = await readState(monitor.id);
    expect(later.plannedUntil?.getTime()).toBeGreaterThan(next.getTime() + 9 * HOUR);
    expect(later.maintenance.at(-1)?.getTime()).toBeGreaterThan(next.getTime());
  });
});

describe('edges of a state', () => {
  it('plans the edges of the next periods, merges overlapping and adjacent ones, and replaces them before they run out', {
    timeout: 60_000,
  }, async () => {
    const team = await makeTeam();
    const monitor = await makeMonitor(team.teamId, monitorOptions);
    for (let hour = 0; hour < 24; hour += 1) await createDaily(team, hour * 60 + 10, hour * 60 + 30);
    await createDaily(team, 25, 40);
    await createDaily(team, 40, 50, { checks: 'pause' });
    const { maintenance, plannedUntil } = await readState(monitor.id);
    expect(maintenance.length).toBeLessThanOrEqual(MOST_EDGES);
    expect(maintenance.slice(0, 2).map((edge) => edge.toISOString())).toEqual([inMinutes(10), inMinutes(50)]);
    const last = maintenance.at(-1)?.getTime() ?? 0;
    expect(plannedUntil?.getTime()).toBeGreaterThan(last);

    const periods = await db.maintenancePeriod.findMany({ where: { monitorNum: monitor.num } });
    const differences: string[] = [];
    for (let at = Date.now(); at < Date.now() + 2 * DAY; at += 11 * MINUTE) {
      await planAhead({ at: new Date(at) });
      const state = await readState(monitor.id);
      if (state.maintenance.length > MOST_EDGES) differences.push(`${state.maintenance.length} edges`);
      if (state.plannedUntil && state.plannedUntil.getTime() <= at) differences.push(`ran out at ${at}`);
      const isInside = periods.some(({ startsAt, endsAt }) => startsAt.getTime() <= at && at < endsAt.getTime());
      const isShown = shownStatus(state, new Date(at)).status === 'maintenance';
      if (isInside !== isShown) differences.push(`${isShown} at ${at}`);
    }
    expect(differences).toEqual([]);
  });

  it('completes edges before a later result is decided', async () => {
    const team = await makeTeam();
    const monitor = await makeMonitor(team.teamId, monitorOptions);
    await createDaily(team, -5, 60);
    const lost = new Date(Date.now() - 10 * MINUTE);
    const data = { maintenance: [], checkPauses: [], plannedUntil: lost };
    await db.monitorState.updateMany({ where: { monitorId: monitor.id }, data });
    const at = new Date();
    const finding = { at, observation: null, verdict: { status: 'down' as const, error: 'no answer' } };
    const { claims } = await claimDue('worker', 'test', 1_000, 10);
    expect(claims).toEqual([]);
    const recorded = await recordResults(null, [
      { plan: toPlan(monitor), finding, region: 'test', takenAt: at, claim: null },
    ]);
    expect(recorded.has(monitor.id)).toBe(true);
    expect(await db.incident.count({ where: { monitorId: monitor.id } })).toBe(0);
    expect((await readState(monitor.id)).maintenance).toHaveLength(MOST_EDGES - 4);
  });
});

describe('planning after a pause', () => {
  it('lets other monitors be claimed at once, and those of the team as soon as it is planned', async () => {
    const [late, other] = [await makeTeam(), await makeTeam()];
    const monitor = await makeMonitor(late.teamId, monitorOptions);
    const neighbour = await makeMonitor(other.teamId, monitorOptions);
    await createDaily(late, -5, 60);
    await loseDays(late, 3);
    for (const { id } of [monitor, neighbour]) await makeDue(id);
    expect(await claimed()).toEqual({ ids: [neighbour.id], isUnplanned: true });
    await planAhead();
    expect(await claimed()).toEqual({ ids: [monitor.id, neighbour.id].sort(), isUnplanned: false });
    expect(shownStatus(await readState(monitor.id), new Date()).status).toBe('maintenance');
  });

  it('does not wait for a team that another transaction locks', async () => {
    const [locked, other] = [await makeTeam(), await makeTeam()];
    await makeMonitor(locked.teamId, monitorOptions);
    const monitor = await makeMonitor(other.teamId, monitorOptions);
    for (const team of [locked, other]) {
      await createDaily(team, -5, 60);
      await loseDays(team, 3);
    }
    await whileLocked(locked, async () => {
      await planAhead();
      await makeDue(monitor.id);
      expect(await claimed()).toEqual({ ids: [monitor.id], isUnplanned: true });
    });
    await planAhead();
    expect((await claimed()).isUnplanned).toBe(false);
  });

  it('lets monitors be claimed whose states cannot be planned', async () => {
    const team = await makeTeam();
    const monitor = await makeMonitor(team.teamId, monitorOptions);
    await createDaily(team, -5, 60);
    await loseDays(team, 3);
    await makeDue(monitor.id);
    await db.$executeRaw`
      create function fail_to_plan() returns trigger language plpgsql as $$ begin raise exception 'never'; end $$`;
    try {
      await db.$executeRaw`
        create trigger fail_to_plan before update of maintenance on monitor_states for each row execute function fail_to_plan()`;
      await planAhead();
      expect(await claimed()).toEqual({ ids: [monitor.id], isUnplanned: false });
    } finally {
      await db.$executeRaw`drop function fail_to_plan cascade`;
    }
  });

  it('keeps a scheduler from checking no other team, and checks the team without an incident', {
    timeout: 60_000,
  }, async () => {
    const [locked, other] = [await makeTeam(), await makeTeam()];
    const monitor = await makeMonitor(locked.teamId, monitorOptions);
    await createDaily(locked, -5, 60);
    await loseDays(locked, 3);
    const [neighbour] = await makeMonitors(other.teamId, [monitorOptions]);
    const checks = ({ num }: { num: number }) => db.check.count({ where: { monitorNum: num } });
    const scheduler = new Scheduler({ worker: 'bounded-plans', region: 'test', concurrency: 5 });
    try {
      await whileLocked(locked, async () => {
        scheduler.start();
        await until(async () => (await checks(neighbour ?? monitor)) > 0);
        expect(await checks(monitor)).toBe(0);
      });
      await until(async () => (await checks(monitor)) > 0);
    } finally {
      await scheduler.stop(5_000);
    }
    expect(await db.incident.count({ where: { monitorId: monitor.id } })).toBe(0);
  });

  it('lets teams take turns, so that one with many windows delays no other', async () => {
    const [big, small] = [await makeTeam(), await makeTeam()];
    await makeMonitors(big.teamId, [monitorOptions, monitorOptions]);
    await makeMonitor(small.teamId, monitorOptions);
    const ids: string[] = [];
    for (let minute = 0; minute < 6; minute += 1) ids.push(await createDaily(big, minute * 20, minute * 20 + 10));
    await createDaily(small, -5, 60);
    for (const team of [big, small]) await loseDays(team, 3);
    let turns = 0;
    const planned = async ({ teamId }: Team) => {
      const now = new Date();
      const windows = await db.maintenanceWindow.count({ where: { teamId, plannedUntil: { lt: now } } });
      return windows === 0 && (await db.monitorState.count({ where: { teamId, plannedUntil: { lt: now } } })) === 0;
    };
    // After each turn of the big team there has been one of the small one, which needs two, and one to see that nothing is left.
    await planAhead({ isStopping: () => ++turns > 6 });
    expect([await planned(small), await planned(big)]).toEqual([true, false]);
    await planAhead();
    expect(await planned(big)).toBe(true);
  });
});
