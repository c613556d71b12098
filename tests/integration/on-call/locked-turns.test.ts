import { afterEach, beforeAll, expect, it, vi } from 'vitest';
import { advanceEscalation } from '@/server/incidents/escalations/advance-escalation';
import { db } from '@/server/platform/db';
import { LoopShare } from '@/server/platform/loop-share';
import { call, type Person, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

let owner: Person;
const scheduleIds: string[] = [];
const { take } = LoopShare.prototype;
const policies = '/api/v1/escalation-policies';

beforeAll(async () => {
  owner = await signUp('Ada');
  await db.team.updateMany({ data: { plan: 'self_hosted', groupSeconds: 0 } });
  for (const name of ['Backend', 'Database', 'Network']) scheduleIds.push(await newSchedule(name));
});
afterEach(() => vi.restoreAllMocks());

async function newSchedule(name: string): Promise<string> {
  const rotation = { unit: 'weeks', every: 1 };
  const layer = { name, userIds: [owner.userId], rotation, startDate: '2026-01-05', handoverTime: '08:00' };
  return (await call(owner, 'POST', '/api/v1/on-call/schedules', { name, layers: [layer] })).schedule.id;
}

const step = (ids: string[]) => ({ targets: ids.map((id) => ({ type: 'schedule', id })), waitMinutes: 5 });
const newPolicy = async () => {
  const body = { name: 'Payments', steps: [step(scheduleIds)] };
  return (await call(owner, 'POST', policies, body)).escalationPolicy;
};

/** Returns the number of turns of the event loop that work takes, and the number of transactions that are open during one of them. */
async function turnsOf(work: () => Promise<unknown>): Promise<{ isAny: boolean; open: number }> {
  let [turns, open] = [0, 0];
  vi.spyOn(LoopShare.prototype, 'take').mockImplementation(async function (this: LoopShare, team: string) {
    const [row] = await db.$queryRaw<{ count: number }[]>`
      select count(*)::int as count from pg_stat_activity where datname = current_database() and state = 'idle in transaction'`;
    turns += 1;
    open += row?.count ?? 0;
    return take.call(this, team);
  });
  await work();
  return { isAny: turns > 0, open };
}

it('creates and updates a policy without waiting for other teams while it has locks', async () => {
  const policy = { id: '', updatedAt: '' };
  expect(await turnsOf(async () => Object.assign(policy, await newPolicy()))).toEqual({ isAny: true, open: 0 });
  const body = { ...policy, name: 'Orders' };
  expect(await turnsOf(() => call(owner, 'PUT', `${policies}/${policy.id}`, body))).toEqual({ isAny: true, open: 0 });
  expect((await turnsOf(() => call(owner, 'DELETE', `${policies}/${policy.id}`))).open).toBe(0);
});

it('runs a step of an escalation without waiting for other teams while it has locks', async () => {
  await newPolicy();
  const { incident } = await call(owner, 'POST', '/api/v1/incidents', { title: 'Orders are late' });
  const move = () => runJob(advanceEscalation, { incidentId: incident.id });
  expect(await turnsOf(move)).toEqual({ isAny: true, open: 0 });
  expect(await db.escalation.findUnique({ where: { incidentId: incident.id } })).toMatchObject({ step: 0 });
});

it('changes a schedule and its overrides without waiting for other teams while it has locks', async () => {
  const url = `/api/v1/on-call/schedules/${scheduleIds[0]}`;
  const startsAt = '2040-01-01T00:00:00Z';
  const override = { userId: owner.userId, startsAt, endsAt: '2040-01-02T00:00:00Z' };
  const { open } = await turnsOf(async () => {
    await call(owner, 'PUT', url, { name: 'Payments' });
    await call(owner, 'POST', `${url}/overrides`, override);
  });
  expect(open).toBe(0);
});
