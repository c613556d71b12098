import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { call, httpMonitor, join, type Person, signUp } from '@/tests/support/rest';

let owner: Person;
let colleague: Person;
let outsider: Person;

beforeAll(async () => {
  owner = await signUp('Robin');
  await db.team.update({ where: { id: owner.teamId }, data: { plan: 'self_hosted' } });
  colleague = await join(owner, 'member');
  outsider = await signUp();
});

async function makeChannel(): Promise<string> {
  const body = { type: 'webhook', name: 'Hook', config: { url: 'http://127.0.0.1:9/' } };
  return (await call(owner, 'POST', '/dashboard/notification-channels', body)).channel.id;
}

async function makeSchedule(userId: string): Promise<string> {
  const rotation = { unit: 'days', every: 1 };
  const layer = { name: 'Primary', userIds: [userId], rotation, startDate: '2026-01-05', handoverTime: '08:00' };
  return (await call(owner, 'POST', '/api/v1/on-call/schedules', { name: 'Payments', layers: [layer] })).schedule.id;
}

async function makePolicy(name: string, ...steps: { type: string; id: string }[][]): Promise<void> {
  const body = { name, steps: steps.map((targets) => ({ targets, waitMinutes: 5 })), tags: ['never'] };
  await call(owner, 'POST', '/api/v1/escalation-policies', body);
}

async function policiesNaming(targetId: string, token = owner.token): Promise<string[]> {
  const { escalationPolicies } = await call({ token }, 'GET', `/api/v1/escalation-policies?targetId=${targetId}`);
  return escalationPolicies.map(({ name }: { name: string }) => name);
}

describe('escalation policies by target', () => {
  it('lists escalation policies that name the schedule, channel or person in any step', async () => {
    const [channel, schedule] = [await makeChannel(), await makeSchedule(owner.userId)];
    await makePolicy('First', [{ type: 'schedule', id: schedule }]);
    await makePolicy(
      'Second',
      [{ type: 'user', id: colleague.userId }],
      [
        { type: 'user', id: colleague.userId },
        { type: 'channel', id: channel },
      ],
    );
    expect(await policiesNaming(schedule)).toEqual(['First']);
    expect(await policiesNaming(channel)).toEqual(['Second']);
    expect(await policiesNaming(colleague.userId)).toEqual(['Second']);
    expect(await policiesNaming('nothing')).toEqual([]);
    expect(await policiesNaming(schedule, outsider.token)).toEqual([]);
  });

  it('include those that reach a person by a schedule', async () => {
    const viewer = await join(owner, 'viewer');
    await makePolicy('By turns', [{ type: 'schedule', id: await makeSchedule(viewer.userId) }]);
    expect(await policiesNaming(viewer.userId)).toEqual(['By turns']);
  });
});

describe('monitors by channel', () => {
  it('lists monitors that chose the channel, not those that alert all', async () => {
    const [channel, other] = [await makeChannel(), await makeChannel()];
    const chosen = await call(owner, 'POST', '/api/v1/monitors', httpMonitor({ channelIds: [channel] }));
    await call(owner, 'POST', '/api/v1/monitors', httpMonitor());
    const ids = async (id: string, token = owner.token) =>
      (await call({ token }, 'GET', `/api/v1/monitors?channelId=${id}`)).monitors.map(
        (each: { id: string }) => each.id,
      );
    expect(await ids(channel)).toEqual([chosen.monitor.id]);
    expect(await ids(other)).toEqual([]);
    expect(await ids(channel, outsider.token)).toEqual([]);
    await call(owner, 'PUT', `/dashboard/monitors/${chosen.monitor.id}`, { channelIds: null });
    expect(await ids(channel)).toEqual([]);
  });
});
