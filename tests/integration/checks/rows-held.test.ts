import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteTeams } from '@/server/admin/delete-rows';
import { recordResults } from '@/server/checks/record/record';
import { Recorder } from '@/server/checks/record/recorder';
import { type Claim, claimDue, claimKey, releaseClaims, renewClaims } from '@/server/checks/schedule/claim';
import type { Plan } from '@/server/checks/schedule/plan';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { ANNOUNCE } from '@/server/platform/database/compatibility';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { testDatabase } from '@/tests/support/database';
import { until } from '@/tests/support/receivers';
import { loadPlans, type MonitorOptions, makeMonitors, makeTeam, readState } from './monitors';
import { httpTarget, type Target } from './targets';

const worker = newId();
let client: pg.Client;
let target: Target;
let teamId: string;
let otherId: string;

beforeAll(async () => {
  client = new pg.Client(testDatabase());
  await client.connect();
  await client.query(`select ${ANNOUNCE}`);
  target = await httpTarget((_request, response) => response.end());
});

beforeEach(async () => {
  teamId = await makeTeam();
  otherId = await makeTeam();
});

afterEach(async () => {
  await client.query('rollback');
  await db.team.deleteMany();
});

afterAll(async () => {
  await client.end();
  await target.close();
  await stopListening();
});

const down = () => ({
  at: new Date(),
  observation: null,
  verdict: { status: 'down' as const, error: 'Expected 200' },
});

interface Claimed {
  claim: Claim;
  plan: Plan;
}

/** Monitors of both teams, claimed. */
async function claimMonitors(options: Partial<MonitorOptions> = {}): Promise<{ own: Claimed[]; others: Claimed[] }> {
  const config = { confirm: { failures: 1 } };
  const toMonitor = (path: number) => ({ url: `http://127.0.0.1:9/${path}`, config, ...options });
  await makeMonitors(teamId, [1, 2, 3].map(toMonitor));
  await makeMonitors(otherId, [4, 5, 6].map(toMonitor));
  const { claims } = await claimDue(worker, 'test', 60_000, 100);
  const plans = await loadPlans(claims);
  const claimed = claims
    .flatMap((claim) => {
      const plan = plans.get(claim.monitorId);
      return plan ? [{ claim, plan }] : [];
    })
    .filter(({ claim, plan }) => claim.region !== '' || plan.regions.length === 0);
  expect(claimed).toHaveLength(6);
  const of = (id: string) => claimed.filter(({ plan }) => plan.monitor.teamId === id);
  return { own: of(teamId), others: of(otherId) };
}

/**
 * Records that each of these monitors is down.
 * @returns the number of completed results, and their due times
 */
function record(recorder: Recorder, claimed: Claimed[]): (Date | null)[] {
  const dueTimes: (Date | null)[] = [];
  for (const { claim, plan } of claimed) {
    const result = { plan, finding: down(), region: 'test', takenAt: new Date(), claim };
    recorder.add(result, (dueAt) => dueTimes.push(dueAt));
  }
  return dueTimes;
}

const newRecorder = () => new Recorder((results) => recordResults(worker, results, 'skip'));

/** Locks the states of the first team's monitors, as deleting it does for as long as that takes. */
async function holdTeam(): Promise<void> {
  await client.query('begin');
  await client.query('select 1 from monitor_states where team_id = $1 order by monitor_id, region for update', [
    teamId,
  ]);
}

describe('Recorder while another transaction holds the states of a team', () => {
  it.each([
    ['without regions', {}],
    ['with regions', { regions: ['test'] }],
  ])('records the results of other teams, and those of the team afterwards, of monitors %s', async (_name, options) => {
    const { own, others } = await claimMonitors(options);
    const recorder = newRecorder();
    await holdTeam();
    const dueTimes = record(recorder, own);
    await new Promise((resolve) => setTimeout(resolve, 50));
    for (const each of others) {
      const toldOthers = record(recorder, [each]);
      await until(async () => toldOthers.length === 1, 2_000, 'The result of another team');
      expect(toldOthers[0]).not.toBeNull();
      expect(await readState(each.plan.monitor.id)).toMatchObject({ status: 'down' });
    }
    expect(await db.incident.count({ where: { teamId: otherId } })).toBe(3);
    expect(dueTimes).toEqual([]);

    await client.query('commit');
    await until(async () => dueTimes.length === 3, 2_000, 'The results of the team');
    expect(dueTimes).not.toContain(null);
    expect(await db.incident.count({ where: { teamId } })).toBe(3);
    for (const { plan } of own) {
      expect(await db.check.count({ where: { monitorNum: plan.monitor.num } })).toBe(1);
    }
    await recorder.stop(1_000);
  });

  it('keeps the order of the results of one monitor', async () => {
    const { own } = await claimMonitors();
    const [first] = own;
    if (!first) throw new Error('There is no claim.');
    const recorder = newRecorder();
    await holdTeam();
    const order: string[] = [];
    const { plan, claim } = first;
    const takenAt = new Date();
    recorder.add({ plan, finding: down(), region: 'test', takenAt, claim }, () => order.push('first'));
    await new Promise((resolve) => setTimeout(resolve, 150));
    recorder.add({ plan, finding: down(), region: 'test', takenAt, claim }, () => order.push('second'));
    await new Promise((resolve) => setTimeout(resolve, 150));
    await client.query('commit');
    await until(async () => order.length === 2, 2_000, 'Both results');
    expect(order).toEqual(['first', 'second']);
    await recorder.stop(1_000);
  });

  it('drops the results of a team that is deleted meanwhile', async () => {
    const { own, others } = await claimMonitors();
    const recorder = newRecorder();
    let dueTimes: unknown[] = [];
    await db.$transaction(async (tx) => {
      await deleteTeams(tx, [teamId]);
      dueTimes = record(recorder, own);
      const toldOthers = record(recorder, others);
      await until(async () => toldOthers.length === 3, 2_000, 'The results of another team');
      expect(dueTimes).toEqual([]);
    });
    await until(async () => dueTimes.length === 3, 2_000, 'The dropped results');
    expect(dueTimes).toEqual([null, null, null]);
    expect(await db.incident.count({ where: { teamId: otherId } })).toBe(3);
    await recorder.stop(1_000);
  });
});

describe('claims while another transaction holds the states of a team', () => {
  it('renews and releases claims of other teams, and keeps those of a team whose states are locked', async () => {
    const { own, others } = await claimMonitors();
    const [lost, ...kept] = others;
    if (!lost) throw new Error('There is no claim.');
    await db.monitorState.updateMany({ where: { monitorId: lost.claim.monitorId }, data: { claimedBy: 'another' } });
    await holdTeam();
    const ids = [...own, ...others].map(({ claim }) => claim.monitorId);
    const renewed = await renewClaims(worker, ids);
    const untilOf = ({ claim }: Claimed) => renewed.get(claimKey(claim.monitorId, claim.region));
    for (const each of own) expect(untilOf(each)).toEqual(each.claim.leaseUntil);
    for (const each of kept) expect(untilOf(each)?.getTime()).toBeGreaterThan(each.claim.leaseUntil.getTime());
    expect(untilOf(lost)).toBeUndefined();
    await releaseClaims(worker);
    expect(await db.monitorState.count({ where: { claimedBy: worker } })).toBe(3);
  });
});

it('checks the monitors of other teams every second while the states of a team are held', {
  timeout: 30_000,
}, async () => {
  const toMonitor = (path: string) => ({ url: `http://127.0.0.1:${target.port}/${path}`, intervalSeconds: 1 });
  const own = await makeMonitors(teamId, ['a', 'b', 'c'].map(toMonitor));
  const [other] = await makeMonitors(otherId, [toMonitor('d')]);
  const checks = () => db.check.count({ where: { monitorNum: other?.num ?? 0 } });
  const scheduler = new Scheduler({ worker: newId(), region: 'test', concurrency: 10 });
  scheduler.start();
  await until(async () => (await checks()) >= 2, 5_000, 'The first checks');
  await client.query('begin');
  // Once all are claimed, so that results arrive and leases end while the rows are held.
  await until(
    async () => {
      const { rowCount } = await client.query(
        'select 1 from monitor_states where team_id = $1 and claimed_by is not null',
        [teamId],
      );
      return rowCount === own.length;
    },
    5_000,
    'The claims of the team',
  );
  await client.query('select 1 from monitor_states where team_id = $1 order by monitor_id for update', [teamId]);
  const before = await checks();
  await new Promise((resolve) => setTimeout(resolve, 8_000));
  expect((await checks()) - before).toBeGreaterThanOrEqual(6);
  await client.query('commit');
  await scheduler.stop(500);
});
