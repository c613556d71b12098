import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createChannel } from '@/server/notifications/create-channel';
import { ChannelDraft } from '@/server/notifications/schema';
import { testChannel } from '@/server/notifications/test-channel';
import { testSettings } from '@/server/notifications/test-settings';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { TeamContext } from '@/server/trpc/contexts';
import { type HttpReceiver, startHttpReceiver, startSmtpReceiver } from '@/tests/support/receivers';
import { rest, signUp } from '@/tests/support/rest';
import { newTeam, newWebhook } from './support';

let ctx: TeamContext;
let receiver: HttpReceiver;
let other: HttpReceiver;

beforeAll(async () => {
  [receiver, other] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
});
afterAll(() => Promise.all([receiver.close(), other.close()]));
beforeEach(async () => {
  ctx = await newTeam();
  for (const each of [receiver, other]) {
    each.requests.length = 0;
    each.respond(() => ({ status: 200, body: 'ok' }));
  }
});

const test = (input: object, ownerId: string | null = null) =>
  testSettings({ ctx, input: ChannelDraft.parse(input) }, ownerId);
const gotify = (serverUrl: string, appToken = 'gotify-secret-token') => ({ serverUrl, appToken });
const newGotify = () => createChannel({ ctx, input: { type: 'gotify', name: 'Phones', config: gotify(receiver.url) } });
const refused = (input: object, path: string) =>
  expect(test(input)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [expect.objectContaining({ path })] });

describe('testing settings that are not saved', () => {
  it('sends a test and returns what the receiver answered, without credentials', async () => {
    const config = { ...gotify(receiver.url), saveResponseBody: 'always' };
    const result = await test({ type: 'gotify', config });
    expect(result).toMatchObject({
      isDelivered: true,
      statusCode: 200,
      error: null,
      exchange: { request: { method: 'POST' }, response: { statusCode: 200, body: 'ok' } },
    });
    const [request] = receiver.requests;
    expect(request?.headers['x-gotify-key']).toBe('gotify-secret-token');
    expect(JSON.parse(request?.body ?? '')).toMatchObject({ title: 'Test message from Upwatch' });
    expect(JSON.stringify(result)).not.toContain('gotify-secret');
    expect(await db.channel.count({ where: { teamId: ctx.team.id } })).toBe(0);
    expect(await db.delivery.count({ where: { teamId: ctx.team.id } })).toBe(0);
  });

  it("says why it was rejected in the receiver's words, without the secrets that it repeats", async () => {
    const errorDescription = 'gotify-secret-token is no token';
    const body = JSON.stringify({ error: 'Unauthorized', errorCode: 401, errorDescription });
    receiver.respond(() => ({ status: 401, body }));
    const result = await test({ type: 'gotify', config: gotify(receiver.url) });
    expect(result).toMatchObject({
      isDelivered: false,
      statusCode: 401,
      error: 'Gotify answered 401: Unauthorized: •••• is no token',
    });
    expect(JSON.stringify(result)).not.toContain('gotify-secret');
  });

  it('says that the alert that the test of a paging channel opened was resolved again', async () => {
    const config = { url: `${receiver.url}/integrations/v1/webhook/a/` };
    const note = 'The test opened an alert in Grafana OnCall and resolved it again.';
    expect(await test({ type: 'grafana_oncall', config })).toMatchObject({ isDelivered: true, note });
    expect(receiver.requests).toHaveLength(2);
    const { id } = await createChannel({ ctx, input: { type: 'grafana_oncall', name: 'Pager', config } });
    expect(await testChannel({ ctx, input: { id } })).toMatchObject({ delivery: { status: 'delivered' }, note });
    receiver.respond(() => ({ status: 500 }));
    expect(await test({ type: 'grafana_oncall', config })).toMatchObject({ isDelivered: false, note: null });
    expect(await testChannel({ ctx, input: { id } })).toMatchObject({ delivery: { status: 'failed' }, note: null });
    receiver.respond(() => ({ status: 200 }));
    expect(await test({ type: 'gotify', config: gotify(receiver.url) })).toMatchObject({
      isDelivered: true,
      note: null,
    });
  });

  it('signs a webhook, also one that has no secret yet', async () => {
    await test({ type: 'webhook', config: { url: receiver.url } });
    expect(receiver.requests[0]?.headers['webhook-signature']).toMatch(/^v1,/);
    expect(JSON.parse(receiver.requests[0]?.body ?? '').data).not.toHaveProperty('channel');
  });

  it('names the field of a wrong value, a private address and a mask', async () => {
    await expect(test({ type: 'gotify', config: { serverUrl: 'x', appToken: 'y' } })).rejects.toThrow();
    await refused({ type: 'gotify', config: gotify(receiver.url, '••••oken') }, 'config.appToken');
    await refused({ config: {} }, 'type');
    vi.stubEnv('ALLOW_PRIVATE_TARGETS', 'false');
    vi.resetModules();
    const guarded = await import('@/server/notifications/test-settings');
    const private_ = { type: 'webhook', config: { url: 'http://169.254.169.254/latest' } } as const;
    await expect(guarded.testSettings({ ctx, input: private_ })).rejects.toMatchObject({
      issues: [expect.objectContaining({ path: 'config.url' })],
    });
    expect(receiver.requests).toEqual([]);
  });
});

describe('testing changed settings of a channel', () => {
  it('uses the stored secret for its mask, and stores nothing', async () => {
    const { id, config } = await newGotify();
    await test({ id, config: { ...config, serverUrl: `${receiver.url}/gotify` } });
    expect(receiver.requests[0]).toMatchObject({ path: '/gotify/message' });
    expect(receiver.requests[0]?.headers['x-gotify-key']).toBe('gotify-secret-token');
    const stored = await db.channel.findUniqueOrThrow({ where: { id } });
    expect(stored.config).toMatchObject({ serverUrl: receiver.url });
    expect(stored.deliveredAt).toBeNull();
  });

  it('sends a stored secret to no other server', async () => {
    const { id, config } = await newGotify();
    await refused({ id, config: { ...config, serverUrl: other.url } }, 'config.appToken');
    await test({ id, config: gotify(other.url, 'another-token') });
    expect(other.requests.map(({ headers }) => headers['x-gotify-key'])).toEqual(['another-token']);
  });

  it('uses no secret of another channel, team or member', async () => {
    const { id } = await newGotify();
    const { id: webhookId } = await newWebhook(ctx, receiver.url);
    await refused({ id: webhookId, type: 'gotify', config: gotify(receiver.url, '••••oken') }, 'type');
    await expect(test({ id, config: gotify(receiver.url, '••••oken') }, ctx.user.id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const outsider = await newTeam();
    await expect(testSettings({ ctx: outsider, input: { id } })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(receiver.requests).toEqual([]);
  });
});

describe('testing an address that has not confirmed', async () => {
  const smtp = await startSmtpReceiver();
  vi.resetModules();
  vi.stubEnv('SMTP_URL', smtp.url);
  const withMail = await import('@/server/notifications/test-settings');
  const { closeMail } = await import('@/server/platform/mail');
  vi.unstubAllEnvs();
  afterAll(async () => {
    closeMail();
    await smtp.close();
  });
  const mail = (to: string) => withMail.testSettings({ ctx, input: { type: 'email', config: { to } } });

  it('sends nothing to an unknown address, and sends to a member and a confirmed address', async () => {
    const [outsider, member, confirmed] = Array.from({ length: 3 }, () => `${newId().toLowerCase()}@example.test`) as [
      string,
      string,
      string,
    ];
    const user = await db.user.create({ data: { id: newId(), email: member, passwordHash: 'x' } });
    await db.membership.create({ data: { teamId: ctx.team.id, userId: user.id, role: 'viewer' } });
    await db.confirmedRecipient.create({ data: { teamId: ctx.team.id, address: confirmed } });
    expect(await mail(outsider)).toMatchObject({ isDelivered: false, error: expect.stringContaining('not confirmed') });
    expect(await mail(member.toUpperCase())).toMatchObject({ isDelivered: true, exchange: null });
    expect(await mail(confirmed)).toMatchObject({ isDelivered: true });
    expect(smtp.mails.flatMap(({ to }) => to)).not.toContain(outsider);
    expect(smtp.mails).toHaveLength(2);
  });
});

describe('POST /api/v1/channels/test', () => {
  it('needs a member who may write, and answers with the result', async () => {
    const person = await signUp();
    const body = { type: 'gotify', config: gotify(receiver.url) };
    const done = await rest('POST', '/api/v1/channels/test', { token: person.token, body });
    expect(done).toMatchObject({
      status: 200,
      body: { result: { isDelivered: true, statusCode: 200, exchange: { response: { statusCode: 200 } } } },
    });
    expect((await rest('POST', '/api/v1/channels/test', { body })).status).toBe(401);
    const unknown = await rest('POST', '/api/v1/channels/test', { token: person.token, body: { ...body, name: 'x' } });
    expect(unknown.status).toBe(400);
    await db.membership.updateMany({ where: { userId: person.userId }, data: { role: 'viewer' } });
    expect((await rest('POST', '/api/v1/channels/test', { token: person.token, body })).status).toBe(403);
    expect(receiver.requests).toHaveLength(1);
    // Viewers can test their own contact methods.
    const own = (config: object) =>
      rest('POST', '/api/v1/me/contact-methods/test', { token: person.token, body: config });
    expect((await own(body)).body.result).toMatchObject({ isDelivered: true, exchange: null });
    expect((await own({ type: 'webhook', config: { url: receiver.url } })).status).toBe(400);
  });

  it('links to no page of a contact method, which has none', async () => {
    const { token } = await signUp();
    const methods = '/api/v1/me/contact-methods';
    const body = { type: 'gotify', name: 'Phone', config: gotify(receiver.url) };
    const { id, config } = (await rest('POST', methods, { token, body })).body.contactMethod;
    expect((await rest('POST', `${methods}/${id}/test`, { token })).body.delivery.status).toBe('delivered');
    const tested = await rest('POST', `${methods}/test`, { token, body: { id, config } });
    expect(tested.body.result).toMatchObject({ isDelivered: true });
    const links = receiver.requests.map(({ body: sent }) => JSON.parse(sent).extras['client::notification'].click.url);
    expect(links).toEqual([expect.stringMatching(/\/channels$/), expect.stringMatching(/\/channels$/)]);
  });

  it('sends once under an idempotency key', async () => {
    const person = await signUp();
    const body = { type: 'gotify', config: gotify(receiver.url) };
    const headers = { 'idempotency-key': newId() };
    const answers = await Promise.all(
      [1, 2].map(() => rest('POST', '/api/v1/channels/test', { token: person.token, body, headers })),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(receiver.requests).toHaveLength(1);
  });
});
