import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deleteChannel } from '@/server/notifications/delete-channel';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { deliverMessage, settleSends } from '@/server/notifications/deliveries/deliver-channel';
import { reviewChannel } from '@/server/notifications/deliveries/review-channel';
import { listDeliveries, readChannel } from '@/server/notifications/queries';
import type { Delivery } from '@/server/notifications/schema';
import { testChannel } from '@/server/notifications/test-channel';
import { updateChannel } from '@/server/notifications/update-channel';
import { db } from '@/server/platform/db';
import { type RunningJobs, startJobs } from '@/server/platform/jobs';
import { type DeliveryCounts, deliveryCounts, MESSAGE_BOUNDS_MS } from '@/server/platform/metrics/delivery-counts';
import type { TeamContext } from '@/server/trpc/contexts';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';
import { deliver, newTeam, newWebhook, openedEvent } from './support';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

let ctx: TeamContext;
let receiver: HttpReceiver;
let channelId: string;
let running: RunningJobs | null = null;

beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());

beforeEach(async () => {
  ctx = await newTeam();
  receiver.requests.length = 0;
  receiver.respond(() => ({ status: 200 }));
  ({ id: channelId } = await newWebhook(ctx, receiver.url, SECRET));
});

afterEach(async () => {
  await running?.stop();
  running = null;
  // What is recorded after its job would queue its channel again.
  await settleSends();
  await clearQueue();
});

function clearQueue() {
  return db.$executeRaw`delete from graphile_worker._private_jobs`;
}

async function start() {
  running = await startJobs({ jobs: [deliverMessage], concurrency: 4 });
}

async function enqueue() {
  const event = await openedEvent(ctx);
  await db.$transaction((tx) => createDeliveries(tx, [event]));
  return db.delivery.findFirstOrThrow({ where: { eventKey: event.eventKey } });
}

async function read(): Promise<Delivery> {
  const { deliveries } = await listDeliveries(db, ctx.team.id, { id: channelId, limit: 1 });
  const [delivery] = deliveries;
  if (!delivery) throw new Error('There is no delivery.');
  return delivery;
}

const run = (signal?: AbortSignal) => deliver(channelId, signal);
/** Runs a job while another one's send hangs. */
const runBeside = () => runJob(deliverMessage, { channelId });

/** The channel's timer. */
async function timer() {
  const rows = await db.$queryRaw<{ run_at: Date }[]>`
    select run_at from graphile_worker.jobs where key = ${`deliver:${channelId}`}`;
  return rows.map(({ run_at }) => run_at);
}

/** Makes the next attempt due. */
async function passTime() {
  await db.$executeRaw`update deliveries set next_attempt_at = now() where status = 'pending'`;
  await db.$executeRaw`update graphile_worker._private_jobs set run_at = now() where locked_at is null`;
}

/** Whether a request is a delivery: others may call a port that was theirs before. */
const deliveriesTo = ({ requests }: HttpReceiver) =>
  requests.filter(({ headers }) => headers['webhook-id'] !== undefined);

function verify(of: HttpReceiver) {
  const verifier = new Webhook(SECRET);
  return deliveriesTo(of).map(({ body, headers }) => verifier.verify(body, headers as Record<string, string>));
}

describe('delivery counts', () => {
  /** The counters of this process since `before`. */
  const since = (before: DeliveryCounts) => {
    const { delivered, failed, timeToMessage } = deliveryCounts();
    const messages = timeToMessage.counts.map((count, index) => count - (before.timeToMessage.counts[index] ?? 0));
    return { delivered: delivered - before.delivered, failed: failed - before.failed, messages };
  };
  const now = () => structuredClone(deliveryCounts());
  const buckets = MESSAGE_BOUNDS_MS.map(() => 0);

  it('count an accepted message, and the time since the first failing check', async () => {
    await enqueue();
    const before = now();
    await run();
    // The incident of the test started long ago.
    expect(since(before)).toEqual({ delivered: 1, failed: 0, messages: [...buckets, 1] });
  });

  it('count a message once it has failed for good', async () => {
    receiver.respond(() => ({ status: 500 }));
    await enqueue();
    const before = now();
    await run();
    expect(since(before)).toMatchObject({ delivered: 0, failed: 0 });
    receiver.respond(() => ({ status: 410 }));
    await passTime();
    await run();
    expect(since(before)).toEqual({ delivered: 0, failed: 1, messages: [...buckets, 0] });
  });

  it('leave the time of a replayed or held message out', async () => {
    const [replayed, held] = [await enqueue(), await enqueue()];
    await db.delivery.update({ where: { id: replayed.id }, data: { replayedAt: new Date() } });
    await db.delivery.update({ where: { id: held.id }, data: { hold: 'quiet_hours' } });
    const before = now();
    await run();
    expect(since(before)).toEqual({ delivered: 2, failed: 0, messages: [...buckets, 0] });
  });
});

describe('delivery', () => {
  it('is sent as soon as its event is committed, signed, with the event as its body', async () => {
    await start();
    const row = await enqueue();
    await receiver.waitFor(1, 30_000);
    expect(verify(receiver)).toEqual([row.payload]);
    await until(async () => (await read()).status === 'delivered');
    expect(await read()).toMatchObject({
      webhookId: receiver.requests[0]?.headers['webhook-id'],
      nextAttemptAt: null,
      attempts: [{ statusCode: 200, error: null }],
    });
  });

  it('is retried under the same webhook-id after a failure, and records each attempt', async () => {
    receiver.respond((_request, count) => ({ status: count === 1 ? 503 : 200 }));
    await start();
    await enqueue();
    await until(async () => (await read()).attempts.length === 1);
    const pending = await read();
    const first = pending.attempts[0];
    expect(pending.status).toBe('pending');
    const wait = Date.parse(pending.nextAttemptAt ?? '') - Date.parse(first?.at ?? '') - (first?.durationMs ?? 0);
    expect(wait).toBeGreaterThanOrEqual(4_500);
    expect(wait).toBeLessThanOrEqual(5_500);
    // The next attempt is not made due here: the first retry runs by itself.
    await until(async () => (await read()).status === 'delivered', 12_000, 'The retry');
    expect((await read()).attempts).toMatchObject([
      { statusCode: 503, error: 'The receiver answered 503' },
      { statusCode: 200, error: null },
    ]);
    const [one, two] = deliveriesTo(receiver);
    expect(one?.headers['webhook-id']).toBe(two?.headers['webhook-id']);
    expect(Number(two?.headers['webhook-timestamp'])).toBeGreaterThan(Number(one?.headers['webhook-timestamp']));
    expect(verify(receiver)).toHaveLength(2);
    await until(async () => (await timer()).length === 0);
  }, 30_000);

  it('is queued for the time it shows, and waits as long as the receiver asks', async () => {
    receiver.respond(() => ({ status: 429, headers: { 'retry-after': '90' } }));
    await enqueue();
    const before = Date.now();
    await run();
    const { nextAttemptAt } = await read();
    expect(Date.parse(nextAttemptAt ?? '') - before).toBeGreaterThanOrEqual(90_000);
    expect(Date.parse(nextAttemptAt ?? '') - before).toBeLessThan(92_000);
    expect(await timer()).toEqual([new Date(nextAttemptAt ?? '')]);
  });

  it('fails at once if the receiver is gone for good', async () => {
    receiver.respond(() => ({ status: 410 }));
    await enqueue();
    await run();
    expect(await read()).toMatchObject({ status: 'failed', nextAttemptAt: null, attempts: [{ statusCode: 410 }] });
  });

  it('fails after its last attempt', async () => {
    receiver.respond(() => ({ status: 500 }));
    await enqueue();
    for (let attempt = 1; (await read()).status === 'pending'; attempt += 1) {
      if (attempt > 20) throw new Error('It is never given up.');
      await passTime();
      await run();
    }
    const { status, attempts, nextAttemptAt } = await read();
    expect({ status, nextAttemptAt }).toEqual({ status: 'failed', nextAttemptAt: null });
    expect(attempts).toHaveLength(14);
    expect(new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  });

  it("uses the channel's destination at the time of sending", async () => {
    const other = await startHttpReceiver();
    receiver.respond(() => ({ status: 500 }));
    await enqueue();
    await run();
    const config = { url: other.url, secret: SECRET };
    await updateChannel({ ctx, input: { id: channelId, config } });
    await passTime();
    await run();
    expect(other.requests).toHaveLength(1);
    expect(verify(other)).toHaveLength(1);
    await other.close();
  });

  it('is dropped if its channel is deleted, before the sending and during it', async () => {
    const before = await enqueue();
    await deleteChannel({ ctx, input: { id: channelId } });
    await run();
    expect(receiver.requests).toEqual([]);
    ({ id: channelId } = await newWebhook(ctx, receiver.url));
    receiver.respond(async () => {
      await deleteChannel({ ctx, input: { id: channelId } });
      return { status: 500 };
    });
    const during = await enqueue();
    await run();
    await runJob(removeDeleted, {});
    expect(await db.delivery.count({ where: { id: { in: [before.id, during.id] } } })).toBe(0);
  });

  it('fails if it cannot be read, and says what to do', async () => {
    await enqueue();
    await db.channel.update({
      where: { id: channelId },
      data: { config: { url: receiver.url, secret: { sealed: 'nonsense', hint: '' } } },
    });
    await run();
    expect(await read()).toMatchObject({
      status: 'failed',
      attempts: [{ error: expect.stringMatching(/Save them again/) }],
    });
  });
});

describe('channel whose receiver asked for a pause', () => {
  const secondsFromNow = ({ nextAttemptAt }: { nextAttemptAt: Date | null }) =>
    ((nextAttemptAt?.getTime() ?? 0) - Date.now()) / 1000;
  const rowOf = (id: string) => db.delivery.findUniqueOrThrow({ where: { id } });

  it.each([
    ['seconds, with 429', () => ({ status: 429, headers: { 'retry-after': '60' } })],
    [
      'a date, with 503',
      () => ({ status: 503, headers: { 'retry-after': new Date(Date.now() + 60_000).toUTCString() } }),
    ],
  ])('makes other messages wait too, each for its own time (%s)', async (_form, answer) => {
    receiver.respond(answer);
    await enqueue();
    await run();
    expect(receiver.requests).toHaveLength(1);
    const others = [await enqueue(), await enqueue(), await enqueue()];
    await clearQueue();
    await run();
    expect(receiver.requests).toHaveLength(1);
    const waits = (await Promise.all(others.map(({ id }) => rowOf(id)))).map(secondsFromNow);
    for (const wait of waits) {
      expect(wait).toBeGreaterThan(55);
      expect(wait).toBeLessThan(75);
    }
    expect(new Set(waits).size).toBe(3);
    const pending = await db.delivery.findMany({ where: { channelId }, orderBy: { nextAttemptAt: 'asc' } });
    expect(await timer()).toEqual([pending[0]?.nextAttemptAt]);
  });

  it('gets messages again only after the pause, also if a new message about the same incident is written', async () => {
    receiver.respond((_request, count) =>
      count === 1 ? { status: 429, headers: { 'retry-after': '60' } } : { status: 200 },
    );
    const opened = await openedEvent(ctx);
    await db.$transaction((tx) => createDeliveries(tx, [opened]));
    const first = await db.delivery.findFirstOrThrow({ where: { channelId } });
    await run();
    const resolved = {
      ...opened,
      event: 'incident.resolved',
      eventKey: `incident.resolved:${opened.incidentId}`,
    } as const;
    await db.$transaction((tx) => createDeliveries(tx, [resolved]));
    const second = await db.delivery.findFirstOrThrow({ where: { eventKey: resolved.eventKey } });
    await run();
    expect(receiver.requests).toHaveLength(1);
    expect(secondsFromNow(await rowOf(first.id))).toBeGreaterThan(55);
    await db.$executeRaw`update channels set retry_after = now() where id = ${channelId}`;
    await passTime();
    await run();
    await run();
    expect(await rowOf(second.id)).toMatchObject({ status: 'delivered' });
    expect(receiver.requests).toHaveLength(3);
  });

  it('pauses for an hour at most, and sends tests and, with new settings, messages at once', async () => {
    receiver.respond((_request, count) =>
      count === 1 ? { status: 503, headers: { 'retry-after': '86400' } } : { status: 200 },
    );
    await enqueue();
    await run();
    const { retryAfter } = await db.channel.findUniqueOrThrow({ where: { id: channelId } });
    expect(((retryAfter?.getTime() ?? 0) - Date.now()) / 60_000).toBeCloseTo(60, 0);
    expect((await testChannel({ ctx, input: { id: channelId } })).delivery).toMatchObject({ status: 'delivered' });
    await updateChannel({ ctx, input: { id: channelId, config: { url: `${receiver.url}/new`, secret: SECRET } } });
    const { id } = await enqueue();
    await run();
    expect(await rowOf(id)).toMatchObject({ status: 'delivered' });
  });
});

describe('state of a channel', () => {
  const stateOf = () => readChannel({ ctx, input: { id: channelId } });
  const reviewJobs = () => db.$queryRaw<{ run_at: Date }[]>`
    select run_at from graphile_worker.jobs where task_identifier = 'review-channel'`;

  it('follows its deliveries: untested, delivering, retrying, failing, delivering', async () => {
    const before = await stateOf();
    expect(before).toMatchObject({ state: 'untested', failingSince: null, lastError: null, lastDeliveredAt: null });
    await enqueue();
    await run();
    expect(await stateOf()).toMatchObject({ state: 'delivering', lastDeliveredAt: expect.any(String) });
    receiver.respond(() => ({ status: 500 }));
    await enqueue();
    await run();
    const retrying = await stateOf();
    expect(retrying).toMatchObject({ state: 'retrying', lastError: 'The receiver answered 500' });
    // An open form keeps its version, because the channel was not edited.
    expect(retrying.updatedAt).toBe(before.updatedAt);
    expect(await reviewJobs()).toEqual([{ run_at: new Date(Date.parse(retrying.failingSince ?? '') + 60_000) }]);
    await db.$executeRaw`update channels set failing_since = failing_since - interval '10 min' where id = ${channelId}`;
    await runJob(reviewChannel, { channelId });
    expect(await stateOf()).toMatchObject({ state: 'failing' });
    receiver.respond(() => ({ status: 200 }));
    await passTime();
    await run();
    expect(await stateOf()).toMatchObject({ state: 'delivering', failingSince: null, lastError: null });
  });

  it('is failing at once if a message is given up, and a test can end it but not begin it', async () => {
    receiver.respond(() => ({ status: 410 }));
    await testChannel({ ctx, input: { id: channelId } });
    expect(await stateOf()).toMatchObject({ state: 'untested' });
    await enqueue();
    await run();
    expect(await stateOf()).toMatchObject({ state: 'failing', lastError: 'The receiver answered 410' });
    receiver.respond(() => ({ status: 200 }));
    await testChannel({ ctx, input: { id: channelId } });
    expect(await stateOf()).toMatchObject({ state: 'delivering', failingSince: null });
  });

  it('is reviewed again after ten minutes if few messages failed after one', async () => {
    receiver.respond(() => ({ status: 500 }));
    await enqueue();
    await run();
    const { failingSince } = await stateOf();
    await clearQueue();
    await db.$executeRaw`update channels set failing_since = failing_since - interval '61 s' where id = ${channelId}`;
    await runJob(reviewChannel, { channelId });
    expect(await stateOf()).toMatchObject({ state: 'retrying' });
    expect(await reviewJobs()).toEqual([{ run_at: new Date(Date.parse(failingSince ?? '') + 539_000) }]);
  });
});

describe('job with many deliveries', () => {
  async function enqueueMany(count: number): Promise<string[]> {
    const events = await Promise.all(Array.from({ length: count }, () => openedEvent(ctx)));
    await db.$transaction((tx) => createDeliveries(tx, events));
    const rows = await db.delivery.findMany({ where: { channelId }, orderBy: { id: 'asc' } });
    return rows.map(({ id }) => id);
  }
  const outcomes = () =>
    db.delivery.findMany({ where: { channelId }, orderBy: { id: 'asc' }, include: { attempts: true } });

  it('sends each once, with its own outcome', async () => {
    const ids = await enqueueMany(60);
    const refused = new Set(ids.filter((_id, index) => index % 3 === 0));
    receiver.respond(({ headers }) => ({ status: refused.has(String(headers['webhook-id'])) ? 503 : 200 }));
    await start();
    await until(async () => (await outcomes()).every(({ attempts }) => attempts.length === 1));
    expect(receiver.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual(ids);
    for (const { id, status, nextAttemptAt, attempts } of await outcomes()) {
      const failed = refused.has(id);
      expect({ status, retries: nextAttemptAt !== null }).toEqual({
        status: failed ? 'pending' : 'delivered',
        retries: failed,
      });
      expect(attempts).toMatchObject([{ statusCode: failed ? 503 : 200 }]);
    }
    await running?.stop();
    running = null;
    const retries = (await outcomes()).flatMap(({ nextAttemptAt }) => nextAttemptAt?.getTime() ?? []);
    expect(await timer()).toEqual([new Date(Math.min(...retries))]);
  });

  it('records each when it is sent, however long another takes', async () => {
    const [hung = ''] = await enqueueMany(5);
    receiver.respond(({ headers }) => (headers['webhook-id'] === hung ? 'hang' : { status: 200 }));
    const stop = new AbortController();
    const all = run(stop.signal);
    await until(async () => (await outcomes()).filter(({ status }) => status === 'delivered').length === 4);
    stop.abort();
    await all;
    expect((await outcomes())[0]).toMatchObject({ status: 'pending', attempts: [{ statusCode: null }] });
  });

  it('keeps the timer of a message that is being sent when another is retried meanwhile: its process may have died', async () => {
    const [first = '', hung = ''] = await enqueueMany(2);
    await clearQueue();
    receiver.respond(({ headers }) => (headers['webhook-id'] === hung ? 'hang' : { status: 503 }));
    const stop = new AbortController();
    const batch = run(stop.signal);
    await until(async () => (await outcomes())[0]?.attempts.length === 1);
    const rowOf = (id: string) => db.delivery.findUniqueOrThrow({ where: { id } });
    expect(await timer()).toEqual([(await rowOf(first)).nextAttemptAt]);
    await db.delivery.update({ where: { id: first }, data: { nextAttemptAt: new Date() } });
    receiver.respond(() => ({ status: 200 }));
    await runBeside();
    await until(async () => (await outcomes())[0]?.status === 'delivered');
    const { nextAttemptAt, leaseUntil } = await rowOf(hung);
    expect(nextAttemptAt).toEqual(leaseUntil);
    expect(await timer()).toEqual([leaseUntil]);
    stop.abort();
    await batch;
  });
});

describe('delivery run by several workers', () => {
  it('is sent once', async () => {
    receiver.respond(async () => {
      await new Promise((resolve) => setTimeout(resolve, 300));
      return { status: 200 };
    });
    await enqueue();
    await Promise.all(Array.from({ length: 6 }, () => run()));
    expect(receiver.requests).toHaveLength(1);
    expect(await read()).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200 }] });
  });

  it('is retried when the claim of the other worker expires', async () => {
    receiver.respond(() => 'hang');
    await enqueue();
    await clearQueue();
    const stop = new AbortController();
    const first = run(stop.signal);
    await receiver.waitFor(1);
    await runBeside();
    const { nextAttemptAt } = await read();
    expect(await timer()).toEqual([new Date(nextAttemptAt ?? '')]);
    stop.abort();
    await first;
    expect(receiver.requests).toHaveLength(1);
  });

  it('is skipped once it is delivered', async () => {
    await enqueue();
    await run();
    await run();
    expect(receiver.requests).toHaveLength(1);
  });
});

describe('sender that lost its claim', () => {
  async function hangThenLoseClaim(answer: number) {
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    receiver.respond(async (_request, count) => {
      if (count > 1) return { status: 200 };
      await held;
      return { status: answer };
    });
    await enqueue();
    const slow = run();
    await receiver.waitFor(1);
    await passTime();
    return {
      finish: async () => {
        release();
        await slow;
      },
    };
  }

  it('does not overwrite the outcome of its successor', async () => {
    const { finish } = await hangThenLoseClaim(500);
    await runBeside();
    await until(async () => (await read()).status === 'delivered');
    await finish();
    const delivery = await read();
    expect(delivery).toMatchObject({ status: 'delivered', nextAttemptAt: null });
    expect(delivery.attempts.map(({ statusCode }) => statusCode).sort()).toEqual([200, 500]);
  });

  it('still records its success', async () => {
    const { finish } = await hangThenLoseClaim(200);
    await finish();
    await run();
    expect(await read()).toMatchObject({ status: 'delivered', attempts: [{ statusCode: 200 }] });
    expect(receiver.requests).toHaveLength(1);
  });
});

it('sends a message again under its ID after a worker was killed while sending', async () => {
  receiver.respond((_request, count) => (count === 1 ? 'hang' : { status: 200 }));
  const file = fileURLToPath(new URL('delivery-worker.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file], { env: process.env, stdio: 'ignore' });
  try {
    await enqueue();
    await receiver.waitFor(1, 30_000);
  } finally {
    child.kill('SIGKILL');
  }
  await start();
  await receiver.waitFor(2, 45_000);
  await until(async () => (await read()).status === 'delivered');
  const [one, two] = receiver.requests;
  expect(two?.headers['webhook-id']).toBe(one?.headers['webhook-id']);
  expect(receiver.requests).toHaveLength(2);
}, 90_000);
