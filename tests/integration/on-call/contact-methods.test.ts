import { beforeAll, expect, it } from 'vitest';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { as, join, type Person, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

const PATH = '/api/v1/me/contact-methods';
const phone = (name: string, delayMinutes = 0) => ({
  type: 'discord',
  name,
  config: { webhookUrl: `https://discord.com/api/webhooks/1/${name}-token` },
  delayMinutes,
});

let owner: Person;
let mara: Person;
beforeAll(async () => {
  owner = await signUp();
  mara = await join(owner, 'viewer');
});

const create = async (person: Person, body: unknown) => (await as(person.token)('POST', PATH, body)).body.contactMethod;
const namesOf = async (person: Person) =>
  (await as(person.token)('GET', PATH)).body.contactMethods.map(({ name }: { name: string }) => name);

it("keeps a viewer's contact methods in order, apart from those of others and from the team's channels", async () => {
  const push = await create(mara, phone('push'));
  const sms = await create(mara, phone('sms', 5));
  await create(owner, phone('owner'));
  expect(sms).toMatchObject({ name: 'sms', delayMinutes: 5 });
  expect(await namesOf(mara)).toEqual(['push', 'sms']);
  expect(await namesOf(owner)).toEqual(['owner']);
  const { body } = await as(mara.token)('PUT', `${PATH}/order`, { ids: [sms.id, push.id] });
  expect(body.contactMethods.map(({ id }: { id: string }) => id)).toEqual([sms.id, push.id]);
  expect(await namesOf(mara)).toEqual(['sms', 'push']);
  expect((await as(owner.token)('GET', '/dashboard/notification-channels')).body.channels).toEqual([]);
});

it('refuses an incomplete order, and a kind for machines', async () => {
  const one = await create(mara, phone('extra'));
  expect((await as(mara.token)('PUT', `${PATH}/order`, { ids: [one.id] })).body.error.issues[0].path).toBe('ids');
  expect((await as(mara.token)('PUT', `${PATH}/order`, { ids: [one.id, one.id, one.id] })).status).toBe(400);
  const webhook = { type: 'webhook', name: 'Ops', config: { url: 'https://hooks.example.com/' } };
  expect((await as(mara.token)('POST', PATH, webhook)).status).toBe(400);
});

it.each(['GET', 'PUT', 'DELETE', 'POST'])("answers NOT_FOUND to %s another member's contact method", async (method) => {
  const { id } = await create(mara, phone(`private-${method}`));
  const team = '/dashboard/notification-channels';
  const suffix = method === 'POST' ? '/test' : '';
  const body = method === 'PUT' ? { name: 'Mine' } : undefined;
  expect((await as(owner.token)(method, `${team}/${id}${suffix}`, body)).status).toBe(404);
  if (method !== 'GET') expect((await as(owner.token)(method, `${PATH}/${id}${suffix}`, body)).status).toBe(404);
  await as(mara.token)('DELETE', `${PATH}/${id}`);
});

it('refuses a contact method as a channel of a monitor, and notifies none of an incident', async () => {
  const { id } = await create(mara, phone('never'));
  const monitor = { type: 'http', name: 'Shop', config: { url: 'http://127.0.0.1:9/' }, channelIds: [id] };
  expect((await as(owner.token)('POST', '/api/v1/monitors', monitor)).status).toBe(400);
  const startedAt = new Date();
  const row = { id: newId(), teamId: owner.teamId, type: 'downtime', status: 'open', startedAt } as const;
  const incident = await db.incident.create({ data: row });
  await db.$transaction((tx) =>
    createDeliveries(tx, [
      {
        teamId: owner.teamId,
        incidentId: incident.id,
        event: 'incident.opened',
        eventKey: 'incident.opened:never',
        data: { incident: { ...row, startedAt: startedAt.toISOString() }, monitor: null },
      },
    ]),
  );
  expect(await db.delivery.count({ where: { incidentId: incident.id } })).toBe(0);
});

it('limits a member to ten contact methods', async () => {
  const person = await join(owner, 'member');
  for (let count = 0; count < 10; count += 1) await create(person, phone(`p${count}`));
  const { status, body } = await as(person.token)('POST', PATH, phone('eleven'));
  expect([status, body.error.code]).toEqual([402, 'PLAN_LIMIT_REACHED']);
});

it('notifies the team of a contact method that fails', async () => {
  const { id } = await create(owner, phone('dead'));
  await db.channel.update({ where: { id }, data: { failingSince: new Date(), failedAt: new Date() } });
  const { body } = await as(mara.token)('GET', '/api/v1/on-call/people');
  const { methods } = body.people.find(({ user }: { user: { id: string } }) => user.id === owner.userId);
  expect(methods.map(({ state }: { state: string }) => state)).toContain('failing');
  await as(owner.token)('DELETE', `${PATH}/${id}`);
});

it('keeps the destination of a contact method out of the audit log', async () => {
  const { id } = await create(mara, phone('secret'));
  const entry = await db.auditEntry.findFirstOrThrow({ where: { targetId: id } });
  expect(entry).toMatchObject({ action: 'contact_method.create', targetType: 'contact_method' });
  expect(JSON.stringify(entry.after)).not.toContain('token');
  expect(JSON.stringify(entry.after)).not.toContain('discord.com');
});

it('deletes the contact methods of a member who leaves the team', async () => {
  const person = await join(owner, 'member');
  const { id } = await create(person, phone('gone'));
  expect((await as(owner.token)('DELETE', `/dashboard/team/members/${person.userId}`)).status).toBe(200);
  expect(await db.channel.findUnique({ where: { id } })).toMatchObject({ teamId: null, ownerId: null, config: {} });
  await runJob(removeDeleted, {});
  expect(await db.channel.findUnique({ where: { id } })).toBeNull();
});
