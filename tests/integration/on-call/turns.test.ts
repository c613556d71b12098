import { beforeAll, expect, it } from 'vitest';
import { readTargets } from '@/server/on-call/escalation/known-targets';
import { listOnCall } from '@/server/on-call/list-on-call';
import { listReachable } from '@/server/on-call/list-reachable';
import { listSchedules } from '@/server/on-call/list-schedules';
import { listPolicies } from '@/server/on-call/policy-queries';
import { db } from '@/server/platform/db';
import { longestShare } from '@/tests/support/longest-share';
import { newTeam } from '../notifications/support';

const SCHEDULES = 20;
const PEOPLE = 50;
const MEMBERS = 400;

let teamId: string;
const idOf = (index: number) => `${teamId}${String(index).padStart(3, '0')}`;
const steps = () =>
  Array.from({ length: 10 }, () => ({
    waitMinutes: 5,
    targets: Array.from({ length: 20 }, (_each, index) => ({
      type: 'schedule',
      id: idOf(index + 1),
    })),
  }));

/** Schedules with as many layers, people and changes as possible, and hundreds of overrides. */
beforeAll(async () => {
  teamId = (await newTeam()).team.id;
  await db.$executeRaw`
    insert into users (id, email, password_hash) select ${teamId} || i, ${teamId} || i || '@example.test', 'x' from generate_series(1, ${MEMBERS}::int) i`;
  await db.$executeRaw`
    insert into memberships (team_id, user_id, role) select ${teamId}, ${teamId} || i, 'member' from generate_series(1, ${MEMBERS}::int) i`;
  await db.$executeRaw`
    insert into channels (id, team_id, type, name, config, owner_id)
    select ${teamId} || i || '-' || k, ${teamId}, 'webhook', 'Method', '{}', ${teamId} || i from generate_series(1, ${MEMBERS}::int) i, generate_series(1, 10) k`;
  const layer = {
    name: 'Layer',
    userIds: Array.from({ length: PEOPLE }, (_, index) => `${teamId}${index + 1}`),
    rotation: { unit: 'hours', every: 48 },
    restrictions: Array(2).fill({ days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '07:59' }),
    startDate: '1970-01-01',
    handoverTime: '00:00',
  };
  await db.$executeRaw`
    insert into on_call_schedules (id, team_id, name, timezone, layers)
    select ${teamId} || lpad(i::text, 3, '0'), ${teamId}, 'Schedule ' || i, 'America/New_York', ${JSON.stringify(Array(10).fill(layer))}::jsonb
    from generate_series(1, ${SCHEDULES}::int) i`;
  await db.$executeRaw`
    insert into on_call_overrides (id, team_id, schedule_id, user_id, starts_at, ends_at)
    select s.id || i, ${teamId}, s.id, ${teamId} || 1, now() - interval '13 days' + i * interval '1 h', now() - interval '13 days' + i * interval '1 h 20 min'
    from on_call_schedules s, generate_series(1, 100) i where s.team_id = ${teamId}`;
  await db.$executeRaw`
    insert into escalation_policies (id, team_id, name, steps) select ${teamId} || i, ${teamId}, 'Policy', ${JSON.stringify(steps())}::jsonb
    from generate_series(1, 30) i`;
});

it.each<[string, () => Promise<unknown>]>([
  ['who is on call', () => listOnCall(db, teamId, {})],
  ['a page of schedules', () => listSchedules(db, teamId, { limit: 100 })],
  ['a page of policies', () => listPolicies(db, teamId, { limit: 100 })],
  ['how members are reached', () => listReachable(db, teamId)],
])('pauses for other teams while it computes %s of a large team', async (_name, work) => {
  // Without pauses, nearly all of it.
  expect(await longestShare(work)).toBeLessThan(0.5);
});

it('names the same people on call as each schedule by itself', async () => {
  const onCall = await listOnCall(db, teamId, {});
  const { schedules } = await listSchedules(db, teamId, { limit: 100 });
  expect(onCall.map(({ shift }) => shift)).toEqual(schedules.map(({ now }) => now));
  expect(onCall).toHaveLength(SCHEDULES);
});

it('reads the contact methods only of people whom a step may reach', async () => {
  const now = new Date();
  const targets = [
    { type: 'user' as const, id: `${teamId}400` },
    { type: 'schedule' as const, id: idOf(1) },
  ];
  const { methods } = await readTargets(db, teamId, [{ waitMinutes: 5, targets }], { from: now, to: now });
  expect(methods.get(`${teamId}400`)).toHaveLength(10);
  expect(methods.size).toBe(PEOPLE + 1);
});
