import { afterEach, beforeEach, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { newId } from '@/server/platform/ids';
import { DAY_MS } from '@/server/time/schema';
import { call, join, type Person, signUp } from '@/tests/support/rest';

let owner: Person;
let mara: Person;
const { smtpUrl } = env;

beforeEach(async () => {
  owner = await signUp('Ada');
  await db.team.update({ where: { id: owner.teamId }, data: { plan: 'self_hosted' } });
  mara = await join(owner, 'member');
  await db.user.update({ where: { id: mara.userId }, data: { name: 'Mara' } });
});
afterEach(() => Object.assign(env, { smtpUrl }));

const chat = (name: string) => ({ type: 'mattermost', name, config: { webhookUrl: 'http://127.0.0.1:9/hooks/1' } });
const newMethod = async (person: Person, name: string): Promise<string> =>
  (await call(person, 'POST', '/api/v1/me/contact-methods', chat(name))).contactMethod.id;
const newChannel = async (name: string): Promise<string> =>
  (await call(owner, 'POST', '/dashboard/notification-channels', chat(name))).channel.id;
const user = ({ userId }: Person) => ({ type: 'user', id: userId });
const channel = (id: string) => ({ type: 'channel', id });
const policies = '/api/v1/escalation-policies';

async function newSchedule(name: string, changes: Record<string, unknown>): Promise<string> {
  const rotation = { unit: 'weeks', every: 1 };
  const layer = { name, userIds: [mara.userId], rotation, startDate: '2026-01-05', handoverTime: '08:00', ...changes };
  return (await call(owner, 'POST', '/api/v1/on-call/schedules', { name, layers: [layer] })).schedule.id;
}

async function newPolicy(...steps: { type: string; id: string }[][]) {
  const body = { name: 'Payments', steps: steps.map((targets) => ({ targets, waitMinutes: 5 })) };
  return (await call(owner, 'POST', policies, body)).escalationPolicy;
}

async function fail(channelId: string): Promise<void> {
  await db.channel.update({ where: { id: channelId }, data: { failedAt: new Date(), failingSince: new Date() } });
}

/** The warnings of a policy as "<step> <code>: <message>", which the list returns too. */
async function warningsOf(id: string): Promise<string[]> {
  const { escalationPolicy } = await call(owner, 'GET', `${policies}/${id}`);
  const { escalationPolicies } = await call(owner, 'GET', policies);
  expect(escalationPolicies.find((each: { id: string }) => each.id === id).warnings).toEqual(escalationPolicy.warnings);
  return escalationPolicy.warnings.map(
    ({ step, code, message }: { step: number | null; code: string; message: string }) => `${step} ${code}: ${message}`,
  );
}

it('has none for a policy whose people and channels all work', async () => {
  await newMethod(mara, 'phone');
  const { id, warnings } = await newPolicy([user(mara)], [channel(await newChannel('ops'))]);
  expect(warnings).toEqual([]);
  expect(await warningsOf(id)).toEqual([]);
});

it('names people without a contact method, and how they are notified all the same', async () => {
  const { id } = await newPolicy([user(mara)], [channel(await newChannel('ops'))]);
  expect(await warningsOf(id)).toEqual([
    '1 no_contact_method: Mara has no contact method.',
    '1 nobody_reached: Nobody can be notified now: the next step begins at once.',
  ]);
  Object.assign(env, { smtpUrl: 'smtp://127.0.0.1:9' });
  const instead = 'Upwatch uses the email address of the account.';
  expect(await warningsOf(id)).toEqual([`1 no_contact_method: Mara has no contact method. ${instead}`]);
  const { people } = await call(owner, 'GET', '/api/v1/on-call/people');
  expect(people.find((each: { user: { id: string } }) => each.user.id === mara.userId).usesAccountEmail).toBe(true);
});

it('names failing contact methods and channels', async () => {
  const [phone] = [await newMethod(mara, 'phone'), await newMethod(mara, 'sms')];
  const [ops, backup] = [await newChannel('ops'), await newChannel('backup')];
  await fail(phone);
  await fail(ops);
  const { id } = await newPolicy([user(mara)], [channel(ops)], [channel(backup)]);
  expect(await warningsOf(id)).toEqual([
    '1 contact_method_failing: 1 of 2 contact methods of Mara is failing.',
    '2 channel_failing: The channel ops is failing.',
    '2 nobody_reached: Nobody can be notified now: the next step begins at once.',
  ]);
  await call(owner, 'PUT', `/api/v1/channels/${ops}/fallback`, { fallbackChannelId: backup });
  expect(await warningsOf(id)).toContain(
    '2 channel_failing: The channel ops is failing. Its messages go to its fallback.',
  );
  expect(await warningsOf(id)).toHaveLength(2);
});

it('says that nobody can be notified at all', async () => {
  await fail(await newMethod(mara, 'phone'));
  const { id } = await newPolicy([user(mara)]);
  expect(await warningsOf(id)).toEqual([
    'null nobody_reached: No step can notify anybody now.',
    '1 contact_method_failing: The contact method of Mara is failing.',
  ]);
});

it('names gaps of schedules, empty schedules, and people on call this week without a contact method', async () => {
  await newMethod(owner, 'phone');
  const empty = await newSchedule('Later', { startDate: '2100-01-01' });
  const hours = [{ days: [1, 2, 3, 4, 5, 6, 7], from: '08:00', to: '20:00' }];
  const days = await newSchedule('Day', { restrictions: hours });
  const { id } = await newPolicy([{ type: 'schedule', id: empty }], [{ type: 'schedule', id: days }], [user(owner)]);
  const warnings = await warningsOf(id);
  expect(warnings[0]).toBe('1 nobody_on_call: Nobody is on call in Later in the next 7 days.');
  expect(warnings[1]).toBe('1 nobody_reached: Nobody can be notified now: the next step begins at once.');
  const gap =
    /^2 (nobody_on_call|schedule_gap): Nobody is on call in Day .*(20|08):00 \(UTC\)\. There are [78] gaps in the next 7 days\.$/;
  expect(warnings[2]).toMatch(gap);
  expect(warnings).toContain('2 no_contact_method: Mara has no contact method.');
  const { schedule } = await call(owner, 'GET', `/api/v1/on-call/schedules/${days}`);
  const at = new Date(Date.now() - 60_000).toISOString();
  const body = { userId: owner.userId, startsAt: at, endsAt: new Date(Date.now() + 8 * DAY_MS).toISOString() };
  await call(owner, 'POST', `/api/v1/on-call/schedules/${schedule.id}/overrides`, body);
  expect(await warningsOf(id)).toEqual(warnings.slice(0, 2));
});

it('names what was deleted, and people who left', async () => {
  await newMethod(owner, 'phone');
  const ops = await newChannel('ops');
  const { id } = await newPolicy([user(owner), channel(ops), user(mara)]);
  await call(owner, 'DELETE', `/dashboard/notification-channels/${ops}`);
  await db.membership.deleteMany({ where: { teamId: owner.teamId, userId: mara.userId } });
  expect(await warningsOf(id)).toEqual([
    '1 target_deleted: A channel of this step was deleted.',
    '1 target_deleted: A person of this step has left the team.',
  ]);
});

it('says that a policy is saved if its warnings cannot be read', async () => {
  const schedule = await newSchedule('Night', {});
  // Layers that cannot be read, because restrictions are missing.
  await db.onCallSchedule.update({ where: { id: schedule }, data: { layers: [{ name: 'Broken' }] } });
  const unavailable = [expect.objectContaining({ step: null, code: 'warnings_unavailable' })];
  const { id, ...created } = await newPolicy([{ type: 'schedule', id: schedule }]);
  expect(created.warnings).toEqual(unavailable);
  const { escalationPolicy } = await call(owner, 'PUT', `${policies}/${id}`, { name: 'Refunds' });
  expect(escalationPolicy).toMatchObject({ name: 'Refunds', warnings: unavailable });
  expect(await db.escalationPolicy.findUnique({ where: { id } })).toMatchObject({ name: 'Refunds' });
});

it('answers with a bounded amount of CPU for many policies of many schedules that change often', {
  timeout: 60_000,
}, async () => {
  const layers = Array.from({ length: 2 }, (_, index) => ({
    name: `Layer ${index}`,
    userIds: [mara.userId, owner.userId],
    rotation: { unit: 'hours', every: 1 },
    startDate: '1970-01-01',
    handoverTime: '08:00',
    restrictions: [],
  }));
  const rows = Array.from({ length: 100 }, (_, index) => {
    return { id: newId(), teamId: owner.teamId, name: `Rota ${index}`, timezone: 'UTC', layers };
  });
  await db.onCallSchedule.createMany({ data: rows });
  const ids = rows.map(({ id }) => id);
  const steps = Array.from({ length: 5 }, (_, index) =>
    ids.slice(index * 20, index * 20 + 20).map((id) => ({ type: 'schedule', id })),
  );
  for (let index = 0; index < 20; index += 1) await newPolicy(...steps);
  const before = process.cpuUsage();
  await call(owner, 'GET', `${policies}?limit=100`);
  const { user, system } = process.cpuUsage(before);
  const cpuMs = Math.round((user + system) / 1_000);
  console.info(`20 policies of 100 schedules: ${cpuMs} ms of CPU`);
  expect(cpuMs).toBeLessThan(2_000);
});
