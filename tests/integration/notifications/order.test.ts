import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { lockHealth } from '@/server/notifications/deliveries/channel-health-queries';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { deliverMessage, settleSends } from '@/server/notifications/deliveries/deliver-channel';
import type { NotifiableEvent } from '@/server/notifications/messages/event';
import { readDelivery } from '@/server/notifications/queries';
import { db } from '@/server/platform/db';
import { type RunningJobs, startJobs } from '@/server/platform/jobs';
import type { TeamContext } from '@/server/trpc/contexts';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { deliver, newTeam, newWebhook, openedEvent } from './support';

let ctx: TeamContext;
let receiver: HttpReceiver;
let channelId: string;
let running: RunningJobs[] = [];

beforeAll(async () => {
  receiver = await startHttpReceiver();
});
afterAll(() => receiver.close());

beforeEach(async () => {
  ctx = await newTeam();
  receiver.requests.length = 0;
  receiver.respond(() => ({ status: 200 }));
  ({ id: channelId } = await newWebhook(ctx, receiver.url));
});

afterEach(async () => {
  for (const each of running) await each.stop();
  running = [];
  // What is recorded after its job would queue its channel again.
  await settleSends();
  await clearQueue();
});

function clearQueue() {
  return db.$executeRaw`delete from graphile_worker._private_jobs`;
}

async function start() {
  running.push(await startJobs({ jobs: [deliverMessage], concurrency: 4 }));
}

type Later = 'incident.acknowledged' | 'incident.resolved';

function followedBy(event: NotifiableEvent, later: Later): NotifiableEvent {
  return { ...event, event: later, eventKey: `${later}:${event.incidentId}` };
}

async function enqueue(...events: NotifiableEvent[]): Promise<string[]> {
  await db.$transaction((tx) => createDeliveries(tx, events));
  const rows = await db.delivery.findMany({
    where: { channelId, eventKey: { in: events.map(({ eventKey }) => eventKey) } },
    orderBy: { id: 'asc' },
  });
  return rows.map(({ id }) => id);
}

const run = () => deliver(channelId);

/** The channel's timer. */
async function timer() {
  const rows = await db.$queryRaw<{ run_at: Date }[]>`
    select run_at from graphile_worker.jobs where key = ${`deliver:${channelId}`}`;
  return rows.map(({ run_at }) => run_at);
}

interface WebhookBody {
  type: string;
  data: { incident: { id: string; cause: string } };
}

/** The requests to the receiver in order, with their subjects. Omits requests of other senders to its port. */
function received() {
  const ours = receiver.requests.filter(({ headers }) => headers['webhook-id'] !== undefined);
  return ours.map(({ body }) => {
    const { type, data } = JSON.parse(body) as WebhookBody;
    return { type, incident: data.incident.id, cause: data.incident.cause };
  });
}
const types = () => received().map(({ type }) => type.replace('incident.', ''));

async function statusOf(id: string) {
  const { status } = await db.delivery.findUniqueOrThrow({ where: { id } });
  return status;
}

/** Makes the next attempt due in an hour. */
async function putOff(id: string): Promise<void> {
  await db.$executeRaw`update deliveries set next_attempt_at = now() + interval '1 h' where id = ${id}`;
  await db.$executeRaw`
    update graphile_worker._private_jobs set run_at = now() + interval '1 h' where key = ${`deliver:${channelId}`}`;
}

/** A delivery that failed and is retried in an hour. */
async function failedUntilLater(event: NotifiableEvent): Promise<string> {
  receiver.respond((_request, count) => ({ status: count === 1 ? 503 : 200 }));
  const [id = ''] = await enqueue(event);
  await clearQueue();
  await run();
  await putOff(id);
  expect(await timer()).toHaveLength(1);
  return id;
}

describe('deliveries of one incident to a channel', () => {
  it('sends deliveries of one incident in order, even if the first had to be retried', async () => {
    receiver.respond((_request, count) => ({ status: count === 1 ? 503 : 200 }));
    await start();
    const opened = await openedEvent(ctx);
    const [first = ''] = await enqueue(opened);
    await until(async () => (await db.deliveryAttempt.count({ where: { deliveryId: first } })) === 1);
    const [second = ''] = await enqueue(followedBy(opened, 'incident.acknowledged'));
    const [third = ''] = await enqueue(followedBy(opened, 'incident.resolved'));
    await until(async () => (await statusOf(third)) === 'delivered', 20_000);
    expect(types()).toEqual(['opened', 'opened', 'acknowledged', 'resolved']);
    expect([await statusOf(first), await statusOf(second)]).toEqual(['delivered', 'delivered']);
    await until(async () => (await timer()).length === 0);
  }, 40_000);

  it('wait without a time until the previous one, which is being sent, is delivered', async () => {
    const opened = await openedEvent(ctx);
    const [first = ''] = await enqueue(opened);
    const [second = ''] = await enqueue(followedBy(opened, 'incident.resolved'));
    await clearQueue();
    const leaseUntil = new Date(Date.now() + 20_000);
    await db.delivery.update({ where: { id: first }, data: { nextAttemptAt: leaseUntil, leaseUntil } });
    await run();
    expect(await timer()).toEqual([leaseUntil]);
    expect(await readDelivery(db, ctx.team.id, second)).toMatchObject({
      status: 'pending',
      nextAttemptAt: null,
      attempts: [],
    });
    await db.$executeRaw`update deliveries set next_attempt_at = now() where id = ${first}`;
    await run();
    expect(types()).toEqual(['opened']);
    expect(await timer()).toEqual([(await db.delivery.findUniqueOrThrow({ where: { id: second } })).nextAttemptAt]);
    await run();
    expect(types()).toEqual(['opened', 'resolved']);
    expect(await timer()).toEqual([]);
  });

  it('continue at once if the previous one failed for good, with the facts it would have sent', async () => {
    receiver.respond((_request, count) => ({ status: count === 1 ? 410 : 200 }));
    const opened = await openedEvent(ctx);
    const [first = ''] = await enqueue(opened);
    await enqueue(followedBy(opened, 'incident.resolved'));
    await clearQueue();
    await run();
    expect(await statusOf(first)).toBe('failed');
    const [at] = await timer();
    expect(at && at.getTime() - Date.now()).toBeLessThan(1_000);
    await run();
    expect(types()).toEqual(['opened', 'resolved']);
    expect(received()[1]).toMatchObject({ cause: 'HTTP 503' });
  });

  it('expedite the previous one, which would be retried in an hour', async () => {
    const opened = await openedEvent(ctx);
    await failedUntilLater(opened);
    await start();
    const [resolved = ''] = await enqueue(followedBy(opened, 'incident.resolved'));
    await until(async () => (await statusOf(resolved)) === 'delivered');
    expect(types()).toEqual(['opened', 'opened', 'resolved']);
  });

  it('expedite the first of two previous ones too', async () => {
    const opened = await openedEvent(ctx);
    const first = await failedUntilLater(opened);
    receiver.respond(() => ({ status: 503 }));
    await start();
    await enqueue(followedBy(opened, 'incident.acknowledged'));
    await until(async () => (await db.deliveryAttempt.count({ where: { deliveryId: first } })) === 2);
    await putOff(first);
    receiver.respond(() => ({ status: 200 }));
    const [resolved = ''] = await enqueue(followedBy(opened, 'incident.resolved'));
    await until(async () => (await statusOf(resolved)) === 'delivered');
    expect(types()).toEqual(['opened', 'opened', 'opened', 'acknowledged', 'resolved']);
  });

  it('delay neither other incidents nor other channels', async () => {
    const other = await startHttpReceiver();
    await newWebhook(ctx, other.url);
    const [stuck, free] = [await openedEvent(ctx), await openedEvent(ctx)];
    receiver.respond(({ body }) => ({ status: body.includes(stuck.incidentId) ? 503 : 200 }));
    await start();
    await enqueue(stuck);
    await receiver.waitFor(1);
    await enqueue(free, followedBy(stuck, 'incident.resolved'));
    await enqueue(followedBy(free, 'incident.resolved'));
    await until(() => received().filter(({ incident }) => incident === free.incidentId).length === 2);
    await other.waitFor(4);
    expect(types().filter((type) => type === 'resolved')).toHaveLength(1);
    await other.close();
  });

  it('sends deliveries of one incident in order if they are due at the same time', async () => {
    const opened = await Promise.all(Array.from({ length: 12 }, () => openedEvent(ctx)));
    await enqueue(...opened, ...opened.map((event) => followedBy(event, 'incident.resolved')));
    await clearQueue();
    await run();
    expect(types()).toEqual(Array(12).fill('opened'));
    await Promise.all([run(), run(), run()]);
    expect(types()).toEqual([...Array(12).fill('opened'), ...Array(12).fill('resolved')]);
  });

  it('sends deliveries of one incident in the order of its events, whatever clocks created their IDs and times', async () => {
    const opened = await openedEvent(ctx);
    const [first = ''] = await enqueue(opened);
    await enqueue(followedBy(opened, 'incident.resolved'));
    await db.delivery.update({ where: { id: first }, data: { createdAt: new Date(Date.now() + 60_000) } });
    await run();
    await run();
    expect(types()).toEqual(['opened', 'resolved']);
  });
});

describe('delivery waiting for its predecessor', () => {
  it('waits for the record of a predecessor that is being delivered, and is not lost', async () => {
    const opened = await openedEvent(ctx);
    const [first = ''] = await enqueue(opened);
    await enqueue(followedBy(opened, 'incident.resolved'));
    await clearQueue();
    let looking: Promise<void> = Promise.resolve();
    await db.$transaction(async (tx) => {
      // Simulates a transaction that records the first before the second was looked at.
      await lockHealth(tx, channelId);
      await tx.$executeRaw`update deliveries set status = 'delivered', next_attempt_at = null where id = ${first}`;
      looking = run();
      await until(async () => {
        const blocked = await tx.$queryRaw<unknown[]>`
          select 1 from pg_stat_activity where pg_backend_pid() = any(pg_blocking_pids(pid))`;
        return blocked.length > 0;
      });
    });
    await looking;
    expect(types()).toEqual(['resolved']);
  });

  it('is sent in order among many, by several workers at once', async () => {
    const opened = await Promise.all(Array.from({ length: 60 }, () => openedEvent(ctx)));
    const failed = new Set<string>();
    receiver.respond(({ body }) => {
      const { type, data } = JSON.parse(body) as WebhookBody;
      const key = `${type}:${data.incident.id}`;
      if (Math.random() > 0.2 || failed.has(key)) return { status: 200 };
      failed.add(key);
      return { status: 503 };
    });
    await start();
    await start();
    for (let index = 0; index < opened.length; index += 12) {
      const some = opened.slice(index, index + 12);
      await enqueue(...some);
      await Promise.all(
        some.map(async (event) => {
          await enqueue(followedBy(event, 'incident.acknowledged'));
          await enqueue(followedBy(event, 'incident.resolved'));
        }),
      );
    }
    await until(async () => (await db.delivery.count({ where: { channelId, status: 'delivered' } })) === 180, 60_000);
    const rank = ['incident.opened', 'incident.acknowledged', 'incident.resolved'];
    for (const { incidentId } of opened) {
      const ranks = received()
        .filter(({ incident }) => incident === incidentId)
        .map(({ type }) => rank.indexOf(type));
      expect(ranks).toEqual(ranks.toSorted());
    }
  }, 90_000);
});

it('loses neither message if a worker is killed while it sends the first', async () => {
  receiver.respond((_request, count) => (count === 1 ? 'hang' : { status: 200 }));
  const file = fileURLToPath(new URL('delivery-worker.ts', import.meta.url));
  const child = spawn(process.execPath, ['--import', 'tsx', file], { env: process.env, stdio: 'ignore' });
  let resolved = '';
  try {
    const opened = await openedEvent(ctx);
    await enqueue(opened);
    await receiver.waitFor(1, 45_000);
    [resolved = ''] = await enqueue(followedBy(opened, 'incident.resolved'));
    // A worker has looked at the second, and it waits.
    await until(async () => (await db.delivery.findUniqueOrThrow({ where: { id: resolved } })).nextAttemptAt === null);
  } finally {
    child.kill('SIGKILL');
  }
  await start();
  await until(async () => (await statusOf(resolved)) === 'delivered', 60_000);
  expect(types()).toEqual(['opened', 'opened', 'resolved']);
}, 120_000);
