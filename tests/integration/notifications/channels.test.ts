import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChannel, MAX_CHANNELS } from '@/server/notifications/create-channel';
import { deleteChannel } from '@/server/notifications/delete-channel';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { listChannels, listDeliveries, readChannel } from '@/server/notifications/queries';
import { CreateChannelInput } from '@/server/notifications/schema';
import { testChannel } from '@/server/notifications/test-channel';
import { updateChannel } from '@/server/notifications/update-channel';
import { db } from '@/server/platform/db';
import { type LiveEvent, listen, stopListening } from '@/server/platform/listen';
import type { TeamContext } from '@/server/trpc/contexts';
import { toAppError } from '@/server/trpc/error-table';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';
import { newTeam, newWebhook, openedEvent } from './support';

const slackUrl = 'https://hooks.slack.com/services/T0/B0/XyZw';
const notFound = { code: 'NOT_FOUND' };

let ctx: TeamContext;
let outsider: TeamContext;
let receiver: HttpReceiver;

beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());
beforeEach(async () => {
  [ctx, outsider] = await Promise.all([newTeam(), newTeam()]);
  receiver.requests.length = 0;
  receiver.respond(() => ({ status: 204 }));
});
afterEach(stopListening);

function newSlack() {
  return createChannel({ ctx, input: { type: 'slack', name: 'Chat', config: { webhookUrl: slackUrl } } });
}

async function storedConfig(id: string): Promise<string> {
  return JSON.stringify((await db.channel.findUniqueOrThrow({ where: { id } })).config);
}

describe('creating a channel', () => {
  it('returns the channel with a masked secret, and stores the secret encrypted', async () => {
    const channel = await newSlack();
    expect(channel).toMatchObject({
      type: 'slack',
      name: 'Chat',
      teamId: ctx.team.id,
      config: { webhookUrl: '••••XyZw' },
    });
    expect(await storedConfig(channel.id)).not.toContain('services');
    expect(await readChannel({ ctx, input: { id: channel.id } })).toEqual(channel);
  });

  it('generates a secret for a webhook without one, and shows it once', async () => {
    const channel = await newWebhook(ctx, receiver.url);
    const { secret = '' } = channel.config;
    expect(secret).toMatch(/^whsec_/);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
    const again = await readChannel({ ctx, input: { id: channel.id } });
    expect(again.config).toEqual({ url: receiver.url, secret: `••••${secret.slice(-4)}` });
    expect(await storedConfig(channel.id)).not.toContain(secret);
  });

  it('never shows a secret that was entered', async () => {
    expect((await newWebhook(ctx, receiver.url, 'a passphrase')).config).toMatchObject({ secret: '••••rase' });
  });

  it('rejects a mask for which nothing is stored', async () => {
    const input = CreateChannelInput.parse({ type: 'slack', name: 'Chat', config: { webhookUrl: '••••XyZw' } });
    await expect(createChannel({ ctx, input })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'config.webhookUrl' }],
    });
  });

  it('enforces the limit for concurrent requests', async () => {
    const config = { to: 'ops@example.com' };
    const rows = Array.from({ length: MAX_CHANNELS - 1 }, (_, index) => ({
      id: `cap-${ctx.team.id}-${index}`,
      teamId: ctx.team.id,
      type: 'email' as const,
      name: 'Mail',
      config,
    }));
    await db.channel.createMany({ data: rows });
    const results = await Promise.allSettled(
      Array.from({ length: 8 }, () => createChannel({ ctx, input: { type: 'email', name: 'Mail', config } })),
    );
    const refused = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
    expect(refused).toHaveLength(7);
    for (const reason of refused) expect(reason).toMatchObject({ code: 'PLAN_LIMIT_REACHED' });
    expect(await db.channel.count({ where: { teamId: ctx.team.id } })).toBe(MAX_CHANNELS);
  });
});

describe('updating a channel', () => {
  it('keeps the secret if its mask is sent back or only the name changes', async () => {
    const { id, config } = await newSlack();
    const before = await storedConfig(id);
    const renamed = await updateChannel({ ctx, input: { id, name: 'Night watch' } });
    expect(renamed).toMatchObject({ name: 'Night watch', config });
    await updateChannel({ ctx, input: { id, config } });
    expect(await storedConfig(id)).toBe(before);
  });

  it('writes nothing without a change', async () => {
    const channel = await newSlack();
    const same = [{ name: 'Chat' }, { config: channel.config }, { name: 'Chat', config: { webhookUrl: slackUrl } }];
    for (const changes of same) {
      expect(await updateChannel({ ctx, input: { id: channel.id, ...changes } })).toEqual(channel);
    }
    expect(await db.auditEntry.count({ where: { targetId: channel.id, action: 'channel.update' } })).toBe(0);
  });

  it('replaces a secret with a new one', async () => {
    const { id } = await newSlack();
    const before = await storedConfig(id);
    const config = { webhookUrl: 'https://hooks.slack.com/services/T0/B0/Anew' };
    expect((await updateChannel({ ctx, input: { id, config } })).config).toEqual({
      webhookUrl: '••••Anew',
      signingSecret: '',
    });
    expect(await storedConfig(id)).not.toBe(before);
  });

  it.each([
    { config: {}, path: 'config.webhookUrl' },
    { config: { webhookUrl: 'ftp://example.com' }, path: 'config.webhookUrl' },
    { config: { webhookUrl: '••••zzzz' }, path: 'config.webhookUrl' },
    { config: { to: 'ops@example.com' }, path: 'config.webhookUrl' },
    { config: { webhookUrl: slackUrl, channel: '#ops' }, path: 'config.channel' },
  ])('rejects $config and leaves the channel unchanged', async ({ config, path }) => {
    const { id } = await newSlack();
    const before = await db.channel.findUniqueOrThrow({ where: { id } });
    const changed = updateChannel({ ctx, input: { id, name: 'Changed', config } });
    const error = toAppError(await changed.catch((thrown: unknown) => thrown));
    expect(error).toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: expect.arrayContaining([expect.objectContaining({ path })]),
    });
    expect(await db.channel.findUniqueOrThrow({ where: { id } })).toEqual(before);
  });
});

describe('channel of another team', () => {
  it('returns NOT_FOUND for every operation', async () => {
    const { id } = await newWebhook(ctx, receiver.url);
    const before = await storedConfig(id);
    await expect(readChannel({ ctx: outsider, input: { id } })).rejects.toMatchObject(notFound);
    await expect(updateChannel({ ctx: outsider, input: { id, name: 'Mine' } })).rejects.toMatchObject(notFound);
    await expect(testChannel({ ctx: outsider, input: { id } })).rejects.toMatchObject(notFound);
    await expect(listDeliveries(db, outsider.team.id, { id, limit: 50 })).rejects.toMatchObject(notFound);
    await expect(deleteChannel({ ctx: outsider, input: { id } })).rejects.toMatchObject(notFound);
    expect(await listChannels({ ctx: outsider, input: { limit: 50 } })).toEqual({ channels: [], nextCursor: null });
    expect(await storedConfig(id)).toBe(before);
    expect(receiver.requests).toEqual([]);
  });
});

describe('testing a channel', () => {
  it('sends at once and returns the attempt', async () => {
    const { id } = await newWebhook(ctx, receiver.url);
    const { delivery } = await testChannel({ ctx, input: { id } });
    expect(delivery).toMatchObject({ event: 'channel.test', status: 'delivered', channelId: id, nextAttemptAt: null });
    expect(delivery.attempts).toEqual([
      { at: expect.any(String), statusCode: 204, error: null, durationMs: expect.any(Number) },
    ]);
    expect(receiver.requests).toHaveLength(1);
    expect(receiver.requests[0]?.headers['webhook-id']).toBe(delivery.webhookId);
    const body = JSON.parse(receiver.requests[0]?.body ?? '') as unknown;
    expect(body).toMatchObject({ type: 'channel.test', data: { incident: null, monitor: null, channel: { id } } });
  });

  it('is not retried after a failure, which stays visible', async () => {
    receiver.respond(() => ({ status: 500 }));
    const { id } = await newWebhook(ctx, receiver.url);
    const { delivery } = await testChannel({ ctx, input: { id } });
    expect(delivery).toMatchObject({
      status: 'failed',
      nextAttemptAt: null,
      attempts: [{ statusCode: 500, error: 'The receiver answered 500' }],
    });
    expect((await listDeliveries(db, ctx.team.id, { id, limit: 50 })).deliveries).toEqual([delivery]);
  });
});

describe('notification lists', () => {
  it('returns pages of channels, newest first', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await newWebhook(ctx, receiver.url)).id);
    const first = await listChannels({ ctx, input: { limit: 2 } });
    const second = await listChannels({ ctx, input: { limit: 2, cursor: first.nextCursor ?? '' } });
    const third = await listChannels({ ctx, input: { limit: 2, cursor: second.nextCursor ?? '' } });
    expect([first, second, third].flatMap(({ channels }) => channels.map(({ id }) => id))).toEqual(ids);
    expect(third.nextCursor).toBeNull();
  });

  it('returns pages of deliveries, newest first, also within one millisecond', async () => {
    const { id } = await newWebhook(ctx, receiver.url);
    const events = await Promise.all(Array.from({ length: 5 }, () => openedEvent(ctx)));
    await db.$transaction((tx) => createDeliveries(tx, events));
    const all = await listDeliveries(db, ctx.team.id, { id, limit: 50 });
    const seen: string[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page = await listDeliveries(db, ctx.team.id, { id, limit: 2, ...(cursor && { cursor }) });
      seen.push(...page.deliveries.map((delivery) => delivery.id));
      cursor = page.nextCursor;
    }
    expect(seen).toHaveLength(5);
    expect(seen).toEqual(all.deliveries.map((delivery) => delivery.id));
  });

  it('rejects a cursor of another list for deliveries', async () => {
    const { id } = await newWebhook(ctx, receiver.url);
    await expect(listDeliveries(db, ctx.team.id, { id, limit: 2, cursor: 'abc' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
    });
  });
});

describe('deleting a channel', () => {
  it('deletes its deliveries', async () => {
    const { id } = await newWebhook(ctx, receiver.url);
    await testChannel({ ctx, input: { id } });
    expect(await deleteChannel({ ctx, input: { id } })).toEqual({ ok: true });
    await expect(readChannel({ ctx, input: { id } })).rejects.toMatchObject(notFound);
    await runJob(removeDeleted, {});
    expect(await db.delivery.count({ where: { channelId: id } })).toBe(0);
    await expect(deleteChannel({ ctx, input: { id } })).rejects.toMatchObject(notFound);
  });
});

it('publishes every change to the pages of the team', async () => {
  const liveEvents: LiveEvent[] = [];
  await listen('live', (event) => liveEvents.push(event));
  const { id } = await newWebhook(ctx, receiver.url);
  await updateChannel({ ctx, input: { id, name: 'Renamed' } });
  await testChannel({ ctx, input: { id } });
  await deleteChannel({ ctx, input: { id } });
  await until(() => liveEvents.length >= 4);
  expect(liveEvents).toEqual(Array.from({ length: 4 }, () => ({ team: ctx.team.id, kind: 'channel', ids: [id] })));
});
