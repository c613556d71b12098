import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { deliverMessage } from '@/server/notifications/deliveries/deliver-channel';
import type { NotifiableEvent } from '@/server/notifications/messages/event';
import { listDeliveries, readDelivery, readDeliveryDetail } from '@/server/notifications/queries';
import { MOST_REPLAYED, replayDeliveries, replayDelivery } from '@/server/notifications/replay/replay-deliveries';
import { endPreviousSecret, rotateSecret } from '@/server/notifications/rotate-secret';
import { updateChannel } from '@/server/notifications/update-channel';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { startJobs } from '@/server/platform/jobs';
import type { TeamContext } from '@/server/trpc/contexts';
import { deleteOldRows } from '@/server/worker/delete-old-rows';
import { readRows } from '@/tests/support/database-traffic';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';
import { deliver, newTeam, newWebhook, openedEvent } from './support';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let ctx: TeamContext;
let receiver: HttpReceiver;
let channelId: string;

beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());

beforeEach(async () => {
  ctx = await newTeam();
  receiver.requests.length = 0;
  receiver.respond(() => ({ status: 200 }));
  ({ id: channelId } = await newWebhook(ctx, `${receiver.url}/hooks/T0123456/secret-part?key=query-secret`, SECRET));
});
afterEach(() => db.$executeRaw`delete from graphile_worker._private_jobs`);

async function enqueue(...events: NotifiableEvent[]): Promise<string[]> {
  await db.$transaction((tx) => createDeliveries(tx, events));
  const eventKey = { in: events.map((event) => event.eventKey) };
  const rows = await db.delivery.findMany({ where: { channelId, eventKey }, orderBy: { id: 'asc' } });
  return rows.map(({ id }) => id);
}
const followedBy = (opened: NotifiableEvent, event: 'incident.acknowledged' | 'incident.resolved'): NotifiableEvent => {
  return { ...opened, event, eventKey: `${event}:${opened.incidentId}` };
};

async function run(...deliveryIds: string[]): Promise<void> {
  await db.$executeRaw`
    update deliveries set next_attempt_at = now() where id = any(${deliveryIds}::text[]) and status = 'pending'`;
  await deliver(channelId);
}
const idsOf = () => receiver.requests.map(({ headers }) => headers['webhook-id']);
const rowOf = (id: string) => db.delivery.findUniqueOrThrow({ where: { id } });
const replay = (deliveryId: string) => replayDelivery({ ctx, input: { id: channelId, deliveryId } });
const span = () => ({
  id: channelId,
  from: '2020-01-01T00:00:00Z',
  to: '2100-01-01T00:00:00Z',
  includeDelivered: false,
});
const longAgo = (ids: string[]) =>
  db.delivery.updateMany({ where: { id: { in: ids } }, data: { replayedAt: new Date(Date.now() - 60_000) } });

describe('history of a delivery', () => {
  it('has each request and its answer, without secrets in the URL, headers and bodies', async () => {
    receiver.respond(({ path }, count) =>
      count === 1
        ? {
            status: 404,
            headers: { 'x-request-id': 'r-1', 'set-cookie': 'a=b' },
            body: `Nothing at ${path}, ${SECRET}`,
          }
        : { status: 200, body: 'ok' },
    );
    const [id = ''] = await enqueue(await openedEvent(ctx));
    await run(id);
    await run(id);
    const detail = await readDeliveryDetail({ ctx, input: { id: channelId, deliveryId: id } });
    const [first, second] = detail.attempts.map(({ exchange }) => exchange);
    expect(first).toEqual({
      request: {
        method: 'POST',
        url: `${receiver.url}/••••`,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'user-agent': expect.stringMatching(/^Upwatch/),
          'webhook-id': id,
          'webhook-timestamp': expect.stringMatching(/^\d+$/),
          'webhook-signature': '••••',
        },
        body: receiver.requests[0]?.body,
      },
      response: {
        statusCode: 404,
        headers: expect.objectContaining({ 'x-request-id': 'r-1' }),
        body: 'Nothing at /hooks/••••, ••••',
      },
    });
    expect(first?.response?.headers).not.toHaveProperty('set-cookie');
    expect(second?.response).toMatchObject({ statusCode: 200, body: 'ok' });
    const stored = JSON.stringify(await db.deliveryExchange.findMany({ where: { channelId } }));
    for (const secret of ['secret-part', 'query-secret', SECRET]) expect(stored).not.toContain(secret);
  });

  it('is cut, has no response if none arrived, and is deleted after its retention and with its channel', async () => {
    receiver.respond((_request, count) => (count === 1 ? { status: 500, body: 'x\u0000'.repeat(8_000) } : 'reset'));
    const [id = ''] = await enqueue(await openedEvent(ctx));
    await run(id);
    await run(id);
    const { attempts } = await readDeliveryDetail({ ctx, input: { id: channelId, deliveryId: id } });
    expect(attempts[0]?.exchange?.response?.body).toBe('x'.repeat(4_096));
    expect(attempts[1]?.exchange).toMatchObject({ request: { method: 'POST' }, response: null });
    await db.deliveryExchange.updateMany({ where: { channelId }, data: { at: new Date('2020-01-01') } });
    await runJob(deleteOldRows, {});
    const later = await readDeliveryDetail({ ctx, input: { id: channelId, deliveryId: id } });
    expect(later.attempts.map(({ exchange }) => exchange)).toEqual([null, null]);
    expect(later.attempts).toHaveLength(2);
  });

  it("is not shown to another team, nor under another channel's ID", async () => {
    const [deliveryId = ''] = await enqueue(await openedEvent(ctx));
    const read = (by: TeamContext, id: string) => readDeliveryDetail({ ctx: by, input: { id, deliveryId } });
    await expect(read(await newTeam(), channelId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const { id: other } = await newWebhook(ctx, receiver.url);
    await expect(read(ctx, other)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('replay of a delivery', () => {
  it('sends it again under its webhook-id, keeps its attempts and says who did it', async () => {
    const [id = ''] = await enqueue(await openedEvent(ctx));
    await run(id);
    expect(await replay(id)).toMatchObject({ status: 'pending', replayedBy: 'ada@example.test' });
    await run(id);
    expect(idsOf()).toEqual([id, id]);
    const delivery = await readDelivery(db, ctx.team.id, id);
    expect(delivery).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200 }, { statusCode: 200 }] });
  });

  it('sends once after a double click, also by two workers and two people', async () => {
    const [id = ''] = await enqueue(await openedEvent(ctx));
    await run(id);
    await Promise.all([replay(id), replay(id), replay(id)]);
    await Promise.all([run(id), run(id)]);
    await replay(id);
    await run(id);
    expect(idsOf()).toEqual([id, id]);
    expect(await db.auditEntry.count({ where: { teamId: ctx.team.id, action: 'channel.replay' } })).toBe(1);
  });

  it('retries as if the message were new', async () => {
    receiver.respond(() => ({ status: 500 }));
    const [id = ''] = await enqueue(await openedEvent(ctx));
    for (let attempt = 0; (await rowOf(id)).status === 'pending' && attempt < 20; attempt += 1) await run(id);
    expect((await rowOf(id)).status).toBe('failed');
    await replay(id);
    await run(id);
    expect(await rowOf(id)).toMatchObject({ status: 'pending' });
    receiver.respond(() => ({ status: 200 }));
    await run(id);
    expect((await readDelivery(db, ctx.team.id, id)).attempts).toHaveLength(16);
  });

  it('is sent again under its ID after a worker was killed while sending', async () => {
    const [id = ''] = await enqueue(await openedEvent(ctx));
    await run(id);
    await db.$executeRaw`delete from graphile_worker._private_jobs`;
    receiver.respond((_request, count) => (count === 2 ? 'hang' : { status: 200 }));
    const file = fileURLToPath(new URL('delivery-worker.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', file], { env: process.env, stdio: 'ignore' });
    try {
      await replay(id);
      await receiver.waitFor(2, 30_000);
    } finally {
      child.kill('SIGKILL');
    }
    const jobs = await startJobs({ jobs: [deliverMessage], concurrency: 2 });
    try {
      await until(async () => (await rowOf(id)).status === 'delivered', 60_000);
    } finally {
      await jobs.stop();
    }
    expect(idsOf()).toEqual([id, id, id]);
  }, 90_000);
});

describe('replay of a delivery with 100 attempts', () => {
  it('is refused, and left out of a replay of its span', async () => {
    const [id = ''] = await enqueue(await openedEvent(ctx));
    await run(id);
    await db.$executeRaw`
      insert into delivery_attempts (id, delivery_id, at, duration_ms, status_code)
      select ${id} || i, ${id}, now(), 1, 200 from generate_series(1, 99) i`;
    await expect(replay(id)).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await replayDeliveries({ ctx, input: { ...span(), includeDelivered: true } })).toMatchObject({
      replayed: 0,
    });
    expect(await rowOf(id)).toMatchObject({ status: 'delivered', replayedAt: null });
  });
});

describe('replay of the deliveries of a span', () => {
  /** Three events about one incident, of which the first two failed for good, and a fourth about another. */
  async function fail() {
    receiver.respond(() => ({ status: 410 }));
    const [opened, other] = [await openedEvent(ctx), await openedEvent(ctx)];
    const events = [opened, followedBy(opened, 'incident.acknowledged'), other];
    const ids: string[] = [];
    for (const event of events) {
      const [id = ''] = await enqueue(event);
      await run(id);
      ids.push(id);
    }
    receiver.respond(() => ({ status: 200 }));
    receiver.requests.length = 0;
    return { opened, ids };
  }

  it('sends them in order, and before what is written after them', async () => {
    const { opened, ids } = await fail();
    expect(await replayDeliveries({ ctx, input: span() })).toEqual({ replayed: 3, left: 0, nextCursor: null });
    const [resolved = ''] = await enqueue(followedBy(opened, 'incident.resolved'));
    // Several times: of an incident, only what is behind nothing is sent.
    await run(resolved, ...ids.toReversed());
    await run(resolved, ...ids.toReversed());
    await run(resolved, ...ids.toReversed());
    const [first, second, third] = ids;
    expect(idsOf().filter((id) => id !== third)).toEqual([first, second, resolved]);
    expect(idsOf()).toHaveLength(4);
  });

  it('puts an earlier delivery before one that waits', async () => {
    receiver.respond((_request, count) => ({ status: count === 1 ? 410 : 500 }));
    const opened = await openedEvent(ctx);
    const [first = ''] = await enqueue(opened);
    await run(first);
    const [second = ''] = await enqueue(followedBy(opened, 'incident.resolved'));
    await run(second);
    receiver.respond(() => ({ status: 200 }));
    receiver.requests.length = 0;
    await replay(first);
    await run(second, first);
    await run(second);
    expect(idsOf()).toEqual([first, second]);
  });

  it('replays only deliveries of the span, each once if two people do it at the same time', async () => {
    const { ids } = await fail();
    const [first = '', ...rest] = ids;
    const createdAt = new Date('2026-01-01T00:00:00Z');
    await db.delivery.update({ where: { id: first }, data: { createdAt } });
    const input = { ...span(), from: '2026-02-01T00:00:00Z' };
    const both = await Promise.all([replayDeliveries({ ctx, input }), replayDeliveries({ ctx, input })]);
    expect(both.map(({ replayed }) => replayed).sort()).toEqual([0, 2]);
    expect((await rowOf(first)).status).toBe('failed');
    await longAgo(rest);
    expect(await replayDeliveries({ ctx, input })).toEqual({ replayed: 0, left: 0, nextCursor: null });
  });

  it('is refused to other teams, and replays no test messages', async () => {
    const { ids } = await fail();
    const outsider = await newTeam();
    await expect(replayDeliveries({ ctx: outsider, input: span() })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const input = { id: channelId, deliveryId: ids[0] ?? '' };
    await expect(replayDelivery({ ctx: outsider, input })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await db.delivery.updateMany({ where: { channelId }, data: { event: 'channel.test' } });
    await expect(replayDelivery({ ctx, input })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await replayDeliveries({ ctx, input: span() })).toEqual({ replayed: 0, left: 0, nextCursor: null });
  });
});

describe('replay of delivered deliveries', () => {
  async function delivered(count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) ids.push(...(await enqueue(await openedEvent(ctx))));
    await run(...ids);
    receiver.requests.length = 0;
    return ids;
  }

  it('sends messages that the receiver accepted again if they are wanted, and only then', async () => {
    const [lost = '', refused = ''] = await delivered(2);
    await db.delivery.update({ where: { id: refused }, data: { status: 'failed' } });
    expect(await replayDeliveries({ ctx, input: span() })).toEqual({ replayed: 1, left: 0, nextCursor: null });
    expect([(await rowOf(lost)).status, (await rowOf(refused)).status]).toEqual(['delivered', 'pending']);
    const input = { ...span(), includeDelivered: true };
    expect(await replayDeliveries({ ctx, input })).toEqual({ replayed: 1, left: 0, nextCursor: null });
    await run(lost, refused);
    expect(idsOf().sort()).toEqual([lost, refused].sort());
    expect((await rowOf(lost)).status).toBe('delivered');
  });

  it('continues at the cursor, so that what was delivered again is not chosen again', async () => {
    const [first = ''] = await delivered(1);
    const row = await rowOf(first);
    const copies = Array.from({ length: MOST_REPLAYED + 1 }, (_, index) => ({
      id: newId(),
      teamId: row.teamId,
      channelId,
      event: row.event,
      status: 'delivered' as const,
      payload: row.payload as object,
      createdAt: row.createdAt,
      eventKey: `copy-${index}`,
    }));
    await db.delivery.createMany({ data: copies });
    const input = { ...span(), includeDelivered: true };
    const { nextCursor, ...counts } = await replayDeliveries({ ctx, input });
    expect(counts).toEqual({ replayed: MOST_REPLAYED, left: 2 });
    const where = { channelId, status: 'pending' as const };
    await db.delivery.updateMany({ where, data: { status: 'delivered', replayedAt: new Date(Date.now() - 60_000) } });
    const rest = await replayDeliveries({ ctx, input: { ...input, cursor: nextCursor ?? '' } });
    expect(rest).toEqual({ replayed: 2, left: 0, nextCursor: null });
  });

  it('counts at most 10,000 remaining messages', async () => {
    const [first = ''] = await delivered(1);
    await db.$executeRaw`
      insert into deliveries (id, team_id, channel_id, event, event_key, payload, status, created_at)
      select id || lpad(n::text, 6, '0'), team_id, channel_id, event, 'many-' || n, payload, 'failed', created_at
      from deliveries, generate_series(1, 11000) n where id = ${first}`;
    const { replayed, left } = await replayDeliveries({ ctx, input: span() });
    expect({ replayed, left }).toEqual({ replayed: MOST_REPLAYED, left: 10_000 });
    await db.delivery.deleteMany({ where: { eventKey: { startsWith: 'many-' } } });
  });

  it('rejects a cursor of another list', async () => {
    const input = { ...span(), cursor: 'elsewhere' };
    await expect(replayDeliveries({ ctx, input })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

describe('rotation of a signing secret', () => {
  const secretOf = (channel: { config: object }) => (channel.config as { secret: string }).secret;
  async function send(): Promise<{ body: string; headers: Record<string, string> }> {
    receiver.requests.length = 0;
    await run(...(await enqueue(await openedEvent(ctx))));
    const [request] = receiver.requests;
    if (!request) throw new Error('Nothing was sent.');
    return { body: request.body, headers: request.headers as Record<string, string> };
  }
  const verifies = (secret: string, { body, headers }: Awaited<ReturnType<typeof send>>) => {
    try {
      new Webhook(secret).verify(body, headers);
      return true;
    } catch {
      return false;
    }
  };

  it('signs with both secrets until the former one expires', async () => {
    const rotated = await rotateSecret({ ctx, input: { id: channelId, graceHours: 24 } });
    const left = Date.parse(rotated.previousSecretUntil ?? '') - Date.now();
    expect(left / 3_600_000).toBeCloseTo(24, 1);
    const both = await send();
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    expect([verifies(SECRET, both), verifies(secretOf(rotated), both)]).toEqual([true, true]);
    await db.channel.update({ where: { id: channelId }, data: { previousSecretUntil: new Date(Date.now() - 1_000) } });
    const later = await send();
    expect([verifies(SECRET, later), verifies(secretOf(rotated), later)]).toEqual([false, true]);
  });

  it.each([
    ['by a call', () => endPreviousSecret({ ctx, input: { id: channelId } })],
    ['with the rotation', () => rotateSecret({ ctx, input: { id: channelId, graceHours: 0 } })],
    ['with another rotation', () => rotateSecret({ ctx, input: { id: channelId, graceHours: 1 } })],
    [
      'with another receiver',
      () =>
        updateChannel({
          ctx,
          input: { id: channelId, config: { url: `${receiver.url}/new`, secret: SECRET.replace('Mf', 'Nf') } },
        }),
    ],
  ])('ends the former one at once %s', async (_how, end) => {
    await rotateSecret({ ctx, input: { id: channelId, graceHours: 24 } });
    await end();
    expect(verifies(SECRET, await send())).toBe(false);
  });

  it('is refused for a kind that does not sign, and leaves one secret of two rotations at once valid', async () => {
    const rotations = [1, 2].map(() => rotateSecret({ ctx, input: { id: channelId, graceHours: 24 } }));
    const secrets = (await Promise.all(rotations)).map(secretOf);
    const sent = await send();
    expect(secrets.map((secret) => verifies(secret, sent))).toEqual([true, true]);
    expect(verifies(SECRET, sent)).toBe(false);
    await db.channel.update({ where: { id: channelId }, data: { type: 'discord' } });
    const input = { id: channelId, graceHours: 24 };
    await expect(rotateSecret({ ctx, input })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });
});

it('reads the rows of a late page only, and none before it', async () => {
  const { id: teamId } = ctx.team;
  const prefix = newId().slice(0, 21);
  await db.$executeRaw`
    insert into deliveries (id, team_id, channel_id, event, event_key, payload, status, created_at)
    select ${prefix} || lpad(i::text, 5, '0'), ${teamId}, ${channelId}, 'incident.opened', i::text, '{}', 'delivered',
      date_trunc('second', now()) - i * interval '1 second'
    from generate_series(1, 20000) i`;
  await db.$executeRaw`analyze deliveries`;
  const last = await db.delivery.findUniqueOrThrow({ where: { id: `${prefix}19900` } });
  const cursor = `${last.createdAt.toISOString()}_${last.id}`;
  const page = { id: channelId, limit: 50, cursor };
  const { deliveries } = await listDeliveries(db, teamId, page);
  expect(deliveries.map(({ id }) => id.slice(-5)).slice(0, 2)).toEqual(['19901', '19902']);
  expect(deliveries).toHaveLength(50);
  expect(await readRows('deliveries', (tx) => listDeliveries(tx, teamId, page))).toBeLessThan(1_000);
});
