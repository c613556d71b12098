import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findAcknowledgeGroup } from '@/server/notifications/acknowledgments/acknowledge-group';
import { readAcknowledgeToken } from '@/server/notifications/acknowledgments/acknowledge-link';
import { createChannel } from '@/server/notifications/create-channel';
import { claim } from '@/server/notifications/deliveries/claim';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { deliverMessage, settleSends } from '@/server/notifications/deliveries/deliver-channel';
import type { NotifiableEvent } from '@/server/notifications/messages/event';
import { updateChannel } from '@/server/notifications/update-channel';
import { db } from '@/server/platform/db';
import { type RunningJobs, startJobs } from '@/server/platform/jobs';
import type { TeamContext } from '@/server/trpc/contexts';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { deliver, newMonitor, newTeam, newWebhook, openedEvent } from './support';

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
  const config = { webhookUrl: `${receiver.url}/chat` };
  ({ id: channelId } = await createChannel({ ctx, input: { type: 'discord', name: 'Chat', config } }));
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

function groupBy(groupSeconds: number) {
  return db.team.update({ where: { id: ctx.team.id }, data: { groupSeconds } });
}

async function openedAbout(name: string): Promise<NotifiableEvent> {
  return openedEvent(ctx, await newMonitor(ctx.team.id, name));
}

function endOf(event: NotifiableEvent): NotifiableEvent {
  const incident = event.data.incident && { ...event.data.incident, status: 'resolved' };
  const data = { ...event.data, incident };
  return { ...event, event: 'incident.resolved', eventKey: `incident.resolved:${event.incidentId}`, data };
}

async function enqueue(...events: NotifiableEvent[]) {
  await db.$transaction((tx) => createDeliveries(tx, events));
}

/** Looks at the channel as its queued job does. */
const look = () => deliver(channelId);

interface Posted {
  embeds: [{ title: string; description: string }];
}
const texts = () =>
  receiver.requests.map(({ body }) => {
    const [{ title, description }] = (JSON.parse(body) as Posted).embeds;
    return { title, description };
  });
const titles = () => texts().map(({ title }) => title);

function deliveries() {
  return db.delivery.findMany({
    where: { channelId },
    orderBy: { id: 'asc' },
    select: { status: true, nextAttemptAt: true, attempts: { select: { statusCode: true } } },
  });
}

/** Ends the wait of the channel, as time does. */
async function passTime() {
  await db.$executeRaw`
    update channels set recent_sends = '{}', sending_until = sending_until - interval '1 h' where id = ${channelId}`;
  await db.$executeRaw`
    update deliveries set next_attempt_at = now() where channel_id = ${channelId} and status = 'pending'`;
}

describe('alerts to a channel for people', () => {
  it('sends the first at once, and those of the next seconds as one message that names all', async () => {
    await groupBy(3);
    await Promise.all([start(), start()]);
    const events = await Promise.all(Array.from({ length: 60 }, (_, index) => openedAbout(`shop-${index}.example`)));
    const [first, ...others] = events;
    if (!first) throw new Error('There is no event.');
    const began = Date.now();
    await enqueue(first);
    await receiver.waitFor(1);
    expect(Date.now() - began).toBeLessThan(1_000);
    await Promise.all(others.map((event) => enqueue(event)));
    await until(async () => (await deliveries()).every(({ status }) => status === 'delivered'));
    expect(texts()[0]).toMatchObject({ title: 'shop-0.example is down' });
    expect(titles().length).toBeLessThanOrEqual(3);
    const text = texts()
      .map(({ title, description }) => `${title} ${description}`)
      .join(' ');
    expect(events.filter(({ data }) => !text.includes(`${data.monitor?.name}`))).toEqual([]);
    expect((await deliveries()).filter(({ attempts }) => attempts.length !== 1)).toEqual([]);
    // The guard of a channel that waited for a slot stays until its time, in case the process dies.
    const jobs = () =>
      db.$queryRaw<
        unknown[]
      >`select 1 from graphile_worker.jobs where key is distinct from ${`deliver-later:${channelId}`}`;
    await until(async () => (await jobs()).length === 0);
  }, 30_000);

  it('reports incidents that ended meanwhile as ended', async () => {
    await enqueue(await openedAbout('API'));
    await look();
    const [brief, lasting] = [await openedAbout('Brief'), await openedAbout('Lasting')];
    await enqueue(brief, lasting);
    await look();
    await enqueue(endOf(brief));
    await look();
    expect(titles()).toEqual(['API is down']);
    await passTime();
    await look();
    expect(titles()).toEqual(['API is down', '1 monitor is down, 1 recovered']);
    expect((await deliveries()).map(({ status }) => status)).toEqual(Array(4).fill('delivered'));
  });

  it('sends one message if several workers look at once', async () => {
    await enqueue(...(await Promise.all(['A', 'B', 'C'].map(openedAbout))));
    await Promise.all(Array.from({ length: 8 }, look));
    expect(titles()).toEqual(['3 monitors are down']);
  });

  it('retries the message as a whole, and records each attempt at each delivery', async () => {
    receiver.respond((_request, count) => ({ status: count === 1 ? 503 : 200 }));
    // So many that time passes while they are claimed.
    const names = Array.from({ length: 60 }, (_, index) => `API ${index}`);
    await enqueue(...(await Promise.all(names.map(openedAbout))));
    await look();
    const failed = await deliveries();
    expect(failed.map(({ status }) => status)).toEqual(Array(60).fill('pending'));
    expect(new Set(failed.map(({ nextAttemptAt }) => nextAttemptAt?.getTime())).size).toBe(1);
    const [job] = await db.$queryRaw<{ run_at: Date }[]>`
      select run_at from graphile_worker.jobs where key = ${`deliver:${channelId}`}`;
    expect(job?.run_at).toEqual(failed[0]?.nextAttemptAt);
    await passTime();
    await look();
    expect(titles()).toEqual(['60 monitors are down', '60 monitors are down']);
    expect(await deliveries()).toMatchObject(
      Array(60).fill({ status: 'delivered', attempts: [{ statusCode: 503 }, { statusCode: 200 }] }),
    );
  });

  it('sends a batch again whose sender died, with what came meanwhile', async () => {
    await enqueue(...(await Promise.all(['A', 'B'].map(openedAbout))));
    expect((await claim(channelId))?.claims).toHaveLength(2);
    await enqueue(await openedAbout('C'));
    await look();
    expect(titles()).toEqual([]);
    await passTime();
    await look();
    expect(titles()).toEqual(['3 monitors are down']);
  });

  it('keeps what a failed part of a message did not name', async () => {
    const names = Array.from({ length: 120 }, (_, index) => `${index}-${'n'.repeat(80)}`);
    receiver.respond((_request, count) => ({ status: count === 2 ? 503 : 200 }));
    await enqueue(...(await Promise.all(names.map(openedAbout))));
    await look();
    expect(titles()).toEqual(['120 monitors are down (1 of 4)', '120 monitors are down (2 of 4)']);
    const counts = (await deliveries()).map(({ status, attempts }) => `${status} ${attempts.length}`);
    expect(new Set(counts)).toEqual(new Set(['delivered 1', 'pending 1', 'pending 0']));
    await passTime();
    await look();
    const text = texts()
      .map(({ description }) => description)
      .join(' ');
    expect(names.filter((name) => !text.includes(name))).toEqual([]);
    expect((await deliveries()).filter(({ status }) => status !== 'delivered')).toEqual([]);
  });

  it('changes the last message to name what follows, where the provider can', async () => {
    receiver.respond(({ method }) => ({ status: 200, body: method === 'POST' ? '{"id":"9007199254740993"}' : '{}' }));
    const first = await openedAbout('A');
    await enqueue(first);
    await look();
    await enqueue(endOf(first), await openedAbout('B'));
    await passTime();
    await look();
    const requests = receiver.requests.map(({ method, path }) => `${method} ${path}`);
    expect(requests).toEqual(['POST /chat?wait=true', 'PATCH /chat/messages/9007199254740993']);
    expect(titles()).toEqual(['A is down', '1 monitor is down, 1 recovered']);
    expect((await deliveries()).map(({ status }) => status)).toEqual(Array(3).fill('delivered'));
    // Later, a new message is sent, because nobody notices a changed one.
    await db.$executeRaw`
      update channels set last_message = jsonb_set(last_message, '{at}', to_jsonb(now() - interval '31 s'))
      where id = ${channelId}`;
    await enqueue(await openedAbout('C'));
    await passTime();
    await look();
    expect(titles().at(-1)).toBe('C is down');
    expect(receiver.requests.at(-1)?.method).toBe('POST');
  });

  it('links to the page that acknowledges the incidents of the message, also when it is changed', async () => {
    const publicKey = 'd04ab232742bb4ab3a1368bd4615e4e6d0224ab71a016baf8520a332c9778737';
    const config = { webhookUrl: `${receiver.url}/chat`, publicKey };
    await updateChannel({ ctx, input: { id: channelId, config } });
    receiver.respond(({ method }) => ({ status: 200, body: method === 'POST' ? '{"id":"9007199254740993"}' : '{}' }));
    const [a, b, c, d] = [
      await openedAbout('A'),
      await openedAbout('B'),
      await openedAbout('C'),
      await openedAbout('D'),
    ];
    await enqueue(a, b);
    await look();
    await enqueue(endOf(a), c);
    await passTime();
    await look();
    const links = receiver.requests.map(({ body }) => {
      const { embeds, components } = JSON.parse(body);
      const token = /\/acknowledge\/([\w.-]+)\)/.exec(embeds[0].description)?.[1] ?? '';
      return { target: readAcknowledgeToken(token).target, button: components[0].components[0].custom_id };
    });
    const openings = [];
    for (const { target, button } of links) {
      const id = 'groupId' in target ? target.groupId : '';
      expect(button).toBe(`acknowledge:group.${id}`);
      openings.push((await findAcknowledgeGroup(db, id))?.openings.map(({ incidentId }) => incidentId));
    }
    expect(receiver.requests.map(({ method }) => method)).toEqual(['POST', 'PATCH']);
    const idsOf = (events: NotifiableEvent[]) => events.map(({ incidentId }) => incidentId).toSorted();
    expect(openings.map((ids) => ids?.toSorted())).toEqual([idsOf([a, b]), idsOf([a, b, c])]);
    // A message in which all are over acknowledges nothing.
    await enqueue(endOf(b), endOf(c), d, endOf(d));
    await passTime();
    await look();
    const last = JSON.parse(receiver.requests.at(-1)?.body ?? '');
    expect(last.embeds[0].title).toBe('4 monitors recovered');
    expect(last.embeds[0].description).not.toContain('/acknowledge/');
    expect(last.components).toEqual([]);
  });

  it('sends a new message if the last one is gone', async () => {
    receiver.respond(({ method }) =>
      method === 'POST' ? { status: 200, body: '{"id":"9007199254740993"}' } : { status: 404, body: '{"code":10008}' },
    );
    await enqueue(await openedAbout('A'));
    await look();
    await enqueue(await openedAbout('B'));
    await passTime();
    await look();
    expect(receiver.requests.map(({ method }) => method)).toEqual(['POST', 'PATCH', 'POST']);
    expect(titles().at(-1)).toBe('B is down');
  });

  it('sends each alert by itself if the team turns grouping off', async () => {
    await groupBy(0);
    await enqueue(...(await Promise.all(['A', 'B'].map(openedAbout))));
    await look();
    expect(titles().sort()).toEqual(['A is down', 'B is down']);
  });

  it('still sends what waits if the team turns grouping off meanwhile', async () => {
    await enqueue(await openedAbout('A'));
    await look();
    await enqueue(await openedAbout('B'));
    await look();
    await groupBy(0);
    await look();
    const rows = await db.$queryRaw<{ run_at: Date }[]>`
      select run_at from graphile_worker.jobs where key = ${`deliver:${channelId}`}`;
    expect(rows.map(({ run_at }) => run_at)).toEqual([(await deliveries())[1]?.nextAttemptAt]);
  });
});

it('sends every event by itself to a receiver that mirrors incidents', async () => {
  const mirror = await startHttpReceiver();
  const { id } = await newWebhook(ctx, mirror.url);
  await enqueue(...(await Promise.all(['A', 'B', 'C'].map(openedAbout))));
  const rows = await db.delivery.findMany({ where: { channelId: id } });
  await deliver(id);
  expect(mirror.requests.map(({ headers }) => headers['webhook-id']).sort()).toEqual(rows.map((row) => row.id).sort());
  await mirror.close();
});
