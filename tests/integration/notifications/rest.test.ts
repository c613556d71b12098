import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';

const CHANNELS = '/dashboard/notification-channels';

let owner: Person;
let receiver: HttpReceiver;

beforeAll(async () => {
  receiver = await startHttpReceiver();
  owner = await signUp();
});
afterAll(() => receiver.close());

function call(method: string, path = '', body?: unknown, token = owner.token) {
  return rest(method, `${CHANNELS}${path}`, { token, ...(body !== undefined && { body }) });
}

const webhookBody = () => ({ type: 'webhook', name: 'Ops', config: { url: receiver.url } });

async function newChannel(): Promise<string> {
  return (await call('POST', '', webhookBody())).body.channel.id;
}

/** A user whose session is in the owner's team. */
async function memberWith(role: Role): Promise<Person> {
  const person = await signUp();
  await db.membership.create({ data: { teamId: owner.teamId, userId: person.userId, role } });
  const { body } = await rest('POST', '/dashboard/me/team', { token: person.token, body: { teamId: owner.teamId } });
  return { ...person, token: body.accessToken };
}

it('creates, reads, updates and deletes a channel', async () => {
  const created = await call('POST', '', webhookBody());
  expect(created.status).toBe(201);
  const { channel } = created.body;
  expect(channel).toEqual({
    id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
    state: 'untested',
    failingSince: null,
    lastError: null,
    lastDeliveredAt: null,
    previousSecretUntil: null,
    fallbackChannelId: null,
    externalId: null,
    teamId: owner.teamId,
    type: 'webhook',
    name: 'Ops',
    config: { url: receiver.url, secret: expect.stringMatching(/^whsec_/) },
    createdAt: expect.stringMatching(/Z$/),
    updatedAt: expect.stringMatching(/Z$/),
  });
  const masked = { ...channel, config: { ...channel.config, secret: `••••${channel.config.secret.slice(-4)}` } };
  const path = `/${channel.id}`;
  expect((await call('GET', path)).body).toEqual({ channel: masked });
  expect((await call('GET')).body.channels).toContainEqual(masked);
  const updated = await call('PUT', path, { name: 'Night', config: masked.config });
  expect(updated.body.channel).toMatchObject({ name: 'Night', config: masked.config });
  const tested = await call('POST', `${path}/test`);
  expect(tested.status).toBe(200);
  expect(tested.body.delivery).toMatchObject({ event: 'channel.test', status: 'delivered' });
  const listed = await call('GET', `${path}/deliveries?limit=1`);
  expect(listed.body).toEqual({ deliveries: [tested.body.delivery], nextCursor: null });
  expect((await call('DELETE', path)).body).toEqual({ ok: true });
  expect((await call('GET', path)).status).toBe(404);
});

describe('invalid channel input', () => {
  it.each([
    ['type', { type: 'pager', name: 'Ops', config: {} }],
    ['type', { name: 'Ops', config: {} }],
    ['name', { type: 'webhook', config: { url: 'https://example.com' } }],
    ['name', { type: 'webhook', name: 1, config: { url: 'https://example.com' } }],
    ['config', { type: 'webhook', name: 'Ops' }],
    ['config.method', { type: 'webhook', name: 'Ops', config: { url: 'https://example.com', method: 'PUT' } }],
    ['config.url', { type: 'webhook', name: 'Ops', config: { url: 'javascript:alert(1)' } }],
    ['config.to', { type: 'email', name: 'Ops', config: { to: 'nobody' } }],
  ])('names %s when creating', async (path, body) => {
    const answer = await call('POST', '', body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe('VALIDATION_ERROR');
    expect(answer.body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it.each([
    ['', {}],
    ['name', { name: '' }],
    ['config.url', { config: {} }],
    ['config', { config: 'https://example.com' }],
    ['config.to', { config: { url: 'https://example.com', to: 'x' } }],
    ['config.secret', { config: { url: 'https://example.com', secret: '••••none' } }],
  ])('names "%s" when updating', async (path, body) => {
    const answer = await call('PUT', `/${await newChannel()}`, body);
    expect(answer.status).toBe(400);
    expect(answer.body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it.each(['limit=0', 'limit=101', 'limit=many'])('is rejected in the query: %s', async (query) => {
    expect((await call('GET', `?${query}`)).status).toBe(400);
  });
});

describe('channel permissions', () => {
  const operations = [
    ['GET', '', undefined],
    ['GET', '/{id}', undefined],
    ['GET', '/{id}/deliveries', undefined],
    ['POST', '', { type: 'email', name: 'Mail', config: { to: 'ops@example.com' } }],
    ['PUT', '/{id}', { name: 'Changed' }],
    ['POST', '/{id}/test', undefined],
    ['DELETE', '/{id}', undefined],
  ] as const;

  async function statuses(token: string, id: string) {
    const found: number[] = [];
    for (const [method, path, body] of operations) {
      found.push((await call(method, path.replace('{id}', id), body, token)).status);
    }
    return found;
  }

  it('let a viewer read and change nothing', async () => {
    const viewer = await memberWith('viewer');
    const id = await newChannel();
    expect(await statuses(viewer.token, id)).toEqual([200, 200, 200, 403, 403, 403, 403]);
    expect((await call('GET', `/${id}`)).body.channel.name).toBe('Ops');
  });

  it('let a member do everything', async () => {
    const member = await memberWith('member');
    expect(await statuses(member.token, await newChannel())).toEqual([200, 200, 200, 201, 200, 200, 200]);
  });

  it('return NOT_FOUND or an empty list to other teams', async () => {
    const outsider = await signUp();
    const id = await newChannel();
    expect(await statuses(outsider.token, id)).toEqual([200, 404, 404, 201, 404, 404, 404]);
    expect((await call('GET', '', undefined, outsider.token)).body.channels).toHaveLength(1);
  });

  it('reject API keys on this auth surface', async () => {
    const key = await makeKey(owner);
    expect(await statuses(key, await newChannel())).toEqual([401, 401, 401, 401, 401, 401, 401]);
  });
});

it('lets an API key manage channels under /api/v1/channels', async () => {
  const key = await makeKey(owner);
  const byKey = (method: string, path = '', body?: unknown) =>
    rest(method, `/api/v1/channels${path}`, { token: key, ...(body !== undefined && { body }) });
  const created = await byKey('POST', '', webhookBody());
  expect(created.status).toBe(201);
  const path = `/${created.body.channel.id}`;
  expect((await byKey('GET')).body.channels.map(({ id }: { id: string }) => id)).toContain(created.body.channel.id);
  expect((await byKey('PUT', path, { name: 'Night' })).body.channel.name).toBe('Night');
  expect((await byKey('POST', `${path}/test`)).body.delivery).toMatchObject({
    event: 'channel.test',
    status: 'delivered',
  });
  expect((await byKey('DELETE', path)).body).toEqual({ ok: true });
  expect((await byKey('GET', path)).status).toBe(404);
});

it('lets an API key set the templates of a channel', async () => {
  const key = await makeKey(owner);
  const body = { type: 'email', name: 'Mail', config: { to: 'ops@example.com' } };
  const { channel } = (await rest('POST', '/api/v1/channels', { token: key, body })).body;
  const templates = [{ event: 'incident.opened', subject: '{{monitor.name}}', body: null }];
  const path = `/api/v1/channels/${channel.id}/templates`;
  expect((await rest('PUT', path, { token: key, body: { templates } })).body).toEqual({ templates });
  expect((await rest('GET', path, { token: key })).body).toEqual({ templates });
});

it('refuses an API key without the write scope to change channels', async () => {
  const key = await makeKey(owner, ['read']);
  const answer = await rest('POST', '/api/v1/channels', { token: key, body: webhookBody() });
  expect(answer.status).toBe(403);
  expect(answer.body.error.code).toBe('INSUFFICIENT_SCOPE');
});
