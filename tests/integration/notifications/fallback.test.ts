import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createChannel } from '@/server/notifications/create-channel';
import { deleteChannel } from '@/server/notifications/delete-channel';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { mailChannelHealth } from '@/server/notifications/deliveries/mail-channel-health';
import { reviewChannel } from '@/server/notifications/deliveries/review-channel';
import type { NotifiableEvent } from '@/server/notifications/messages/event';
import { listDeliveries, readChannel } from '@/server/notifications/queries';
import { setFallback, setTeamFallback } from '@/server/notifications/set-fallback';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { lockChannel } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';
import { deliver, newMonitor, newTeam, newWebhook, openedEvent } from './support';

let ctx: TeamContext;
let receiver: HttpReceiver;
let fallback: HttpReceiver;
let channelId: string;
let fallbackId: string;
let monitor: { id: string; name: string };

beforeAll(async () => {
  receiver = await startHttpReceiver();
  fallback = await startHttpReceiver();
});
afterAll(() => Promise.all([receiver.close(), fallback.close()]));

beforeEach(async () => {
  ctx = await newTeam();
  for (const each of [receiver, fallback]) {
    each.requests.length = 0;
    each.respond(() => ({ status: 200 }));
  }
  ({ id: channelId } = await newWebhook(ctx, receiver.url));
  ({ id: fallbackId } = await newWebhook(ctx, fallback.url));
  await setTeamFallback({ ctx, input: { fallbackChannelId: fallbackId } });
  monitor = await newMonitor(ctx.team.id, 'Checkout', { allChannels: false });
  await db.monitorChannel.create({ data: { monitorId: monitor.id, channelId } });
});

afterEach(() => db.$executeRaw`delete from graphile_worker._private_jobs`);

/** Writes events about one incident, and returns the IDs of their deliveries to the channel. */
async function enqueue(...events: NotifiableEvent[]): Promise<string[]> {
  await db.$transaction((tx) => createDeliveries(tx, events));
  const eventKey = { in: events.map((event) => event.eventKey) };
  const rows = await db.delivery.findMany({ where: { channelId, eventKey }, orderBy: { id: 'asc' } });
  return rows.map(({ id }) => id);
}

const resolvedOf = (opened: NotifiableEvent): NotifiableEvent => {
  return { ...opened, event: 'incident.resolved', eventKey: `incident.resolved:${opened.incidentId}` };
};

async function run(...deliveryIds: string[]): Promise<void> {
  await db.$executeRaw`update deliveries set next_attempt_at = now() where id = any(${deliveryIds}::text[])`;
  const rows = await db.delivery.findMany({ where: { id: { in: deliveryIds } }, distinct: ['channelId'] });
  await deliver(rows.map((row) => row.channelId));
}

/** Sends everything that is due for the fallback, in order. */
async function runFallback(): Promise<void> {
  for (;;) {
    const due = await db.delivery.findMany({
      where: { channelId: fallbackId, status: 'pending' },
      select: { id: true },
    });
    if (due.length === 0) return;
    await run(...due.map(({ id }) => id));
  }
}

const eventsOf = ({ requests }: HttpReceiver) =>
  requests.map(({ body }) => (JSON.parse(body) as { type: string }).type);

async function mails() {
  const jobs = await db.$queryRaw<{ payload: Parameters<typeof mailChannelHealth.run>[0] }[]>`
    select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
    where t.identifier = 'mail-channel-health' order by j.id`;
  return jobs.map(({ payload }) => payload);
}

async function newOwner(): Promise<string> {
  const email = `${newId().toLowerCase()}@example.test`;
  const user = await db.user.create({ data: { id: newId(), email, passwordHash: 'x' } });
  await db.membership.create({ data: { teamId: ctx.team.id, userId: user.id, role: 'owner' } });
  return email;
}

const mailsTo = async (to: string) =>
  (await db.undeliveredMail.findMany({ where: { to }, orderBy: { id: 'asc' } })).map(({ subject }) => subject);

describe('fallback of a failing channel', () => {
  it('gets no reminder of an incident that is no longer open', async () => {
    receiver.respond(() => ({ status: 410 }));
    const opened = await openedEvent(ctx, monitor);
    const eventKey = `incident.reminder:${opened.incidentId}:1`;
    const [first = ''] = await enqueue(opened, { ...opened, event: 'incident.reminder', eventKey });
    await db.incident.update({ where: { id: opened.incidentId }, data: { status: 'acknowledged' } });
    await run(first);
    await runFallback();
    expect(eventsOf(fallback).filter((type) => type.startsWith('incident'))).toEqual(['incident.opened']);
  });

  it('gets a notice and the undelivered messages in order, and a notice of the recovery', async () => {
    receiver.respond(() => ({ status: 410 }));
    const opened = await openedEvent(ctx, monitor);
    const [first = ''] = await enqueue(opened);
    const [second = ''] = await enqueue(resolvedOf(opened));
    await run(first);
    await runFallback();
    expect(eventsOf(fallback).filter((type) => type.startsWith('incident'))).toEqual([
      'incident.opened',
      'incident.resolved',
    ]);
    expect(eventsOf(fallback)).toContain('channel.failing');
    const { deliveries } = await listDeliveries(db, ctx.team.id, { id: fallbackId, limit: 10 });
    const copies = deliveries.filter(({ forwardedFrom }) => forwardedFrom);
    expect(copies.map(({ forwardedFrom }) => forwardedFrom?.id).sort()).toEqual([first, second].sort());
    // The receiver works again: the other message is delivered, and the fallback gets one notice.
    receiver.respond(() => ({ status: 200 }));
    await run(second);
    await runFallback();
    expect(eventsOf(fallback).filter((type) => type === 'channel.recovered')).toHaveLength(1);
    expect(await readChannel({ ctx, input: { id: channelId } })).toMatchObject({ state: 'delivering' });
  });

  it.each(['pagerduty', 'opsgenie', 'splunk_on_call', 'grafana_oncall'] as const)(
    'gets the alerts, but no message about the channel, as %s, which pages people',
    async (type) => {
      await db.channel.update({ where: { id: fallbackId }, data: { type } });
      const eventsToFallback = async () =>
        (await db.delivery.findMany({ where: { channelId: fallbackId } })).map(({ event }) => event);
      receiver.respond(() => ({ status: 410 }));
      const [first = ''] = await enqueue(await openedEvent(ctx, monitor));
      await run(first);
      expect(await eventsToFallback()).toEqual(['incident.opened']);
      receiver.respond(() => ({ status: 200 }));
      await run(...(await enqueue(await openedEvent(ctx, monitor))));
      expect((await eventsToFallback()).filter((event) => event.startsWith('channel.'))).toEqual([]);
    },
  );

  it('gets what is written while the channel fails, and nothing after that', async () => {
    receiver.respond(() => ({ status: 410 }));
    await run(...(await enqueue(await openedEvent(ctx, monitor))));
    await runFallback();
    const [later = ''] = await enqueue(await openedEvent(ctx, monitor));
    await runFallback();
    expect(eventsOf(fallback).filter((type) => type === 'incident.opened')).toHaveLength(2);
    receiver.respond(() => ({ status: 200 }));
    await run(later);
    await enqueue(await openedEvent(ctx, monitor));
    await runFallback();
    expect(eventsOf(fallback).filter((type) => type === 'incident.opened')).toHaveLength(2);
  });

  it('gets an event only once if it is also notified directly', async () => {
    await db.monitorChannel.create({ data: { monitorId: monitor.id, channelId: fallbackId } });
    receiver.respond(() => ({ status: 410 }));
    await run(...(await enqueue(await openedEvent(ctx, monitor))));
    await runFallback();
    expect(eventsOf(fallback).filter((type) => type === 'incident.opened')).toHaveLength(1);
  });

  it("is the channel's own if it has one, and the fallback of that one if it fails too", async () => {
    const third = await startHttpReceiver();
    const { id: thirdId } = await newWebhook(ctx, third.url);
    await setTeamFallback({ ctx, input: { fallbackChannelId: thirdId } });
    await setFallback({ ctx, input: { id: channelId, fallbackChannelId: fallbackId } });
    receiver.respond(() => ({ status: 410 }));
    fallback.respond(() => ({ status: 410 }));
    await run(...(await enqueue(await openedEvent(ctx, monitor))));
    await runFallback();
    const last = await db.delivery.findMany({ where: { channelId: thirdId }, select: { event: true } });
    expect(last.map(({ event }) => event).sort()).toEqual(['channel.failing', 'channel.failing', 'incident.opened']);
    await third.close();
  });
});

describe('forwarding by two senders at once', () => {
  it('does not deadlock where one sends to a fallback that fails meanwhile', async () => {
    // The first channel falls back to the team's channel, the second to a third one, which falls back to the team's as well.
    const { id: secondId } = await newWebhook(ctx, receiver.url);
    const { id: thirdId } = await newWebhook(ctx, receiver.url);
    await setFallback({ ctx, input: { id: secondId, fallbackChannelId: thirdId } });
    await db.monitorChannel.create({ data: { monitorId: monitor.id, channelId: secondId } });
    const other = await newMonitor(ctx.team.id, 'Search', { allChannels: false });
    await db.monitorChannel.create({ data: { monitorId: other.id, channelId: thirdId } });
    await enqueue(await openedEvent(ctx, other));
    const ofThird = await db.delivery.findFirstOrThrow({ where: { channelId: thirdId } });
    const failing = { failedAt: new Date(), failingSince: new Date() };
    await db.channel.updateMany({ where: { id: { in: [channelId, secondId] } }, data: failing });
    receiver.respond(() => ({ status: 410 }));

    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let holding: Promise<void> = Promise.resolve();
    await new Promise<void>((isHeld) => {
      holding = db.$transaction(async (tx) => {
        await lockChannel(tx, ctx.team.id, fallbackId);
        isHeld();
        await released;
      });
    });
    // Without an order, this one locks the team's channel and then the third one, the other the third one and then the team's.
    const creating = enqueue(await openedEvent(ctx, monitor));
    await Promise.race([creating, setTimeout(500)]);
    const sending = run(ofThird.id);
    await Promise.race([sending, setTimeout(500)]);
    release();
    await Promise.all([holding, creating, sending]);

    const eventsTo = async (id: string) =>
      (await db.delivery.findMany({ where: { channelId: id } })).map(({ event }) => event).sort();
    expect(await eventsTo(fallbackId)).toEqual(['channel.failing', 'incident.opened', 'incident.opened']);
    expect(await eventsTo(thirdId)).toEqual(['incident.opened', 'incident.opened']);
    const attempts = await db.deliveryAttempt.count({ where: { deliveryId: ofThird.id } });
    expect(attempts).toBe(1);
  });

  it('gives a fallback each event once and in order, of channels that fail at once', async () => {
    const ids = await Promise.all(Array.from({ length: 4 }, async () => (await newWebhook(ctx, receiver.url)).id));
    await db.monitorChannel.createMany({ data: ids.map((id) => ({ monitorId: monitor.id, channelId: id })) });
    receiver.respond(() => ({ status: 410 }));
    const events = await Promise.all(Array.from({ length: 8 }, () => openedEvent(ctx, monitor)));
    await enqueue(...events);
    await enqueue(...events.map(resolvedOf));
    const where = { channelId: { in: [channelId, ...ids] }, event: 'incident.opened' };
    const opened = await db.delivery.findMany({ where, select: { id: true } });
    await Promise.all(opened.map(({ id }) => run(id)));
    await runFallback();
    const got = fallback.requests.map(
      ({ body }) => JSON.parse(body) as { type: string; data: { incident?: { id: string } } },
    );
    for (const { incidentId } of events) {
      const own = got.filter(({ data }) => data.incident?.id === incidentId).map(({ type }) => type);
      expect(own).toEqual(['incident.opened', 'incident.resolved']);
    }
  });
});

describe('owners of the team', () => {
  it('mails the owners once when a channel turns failing, and once when it recovers, with two workers at once', async () => {
    const owners = [await newOwner(), await newOwner()];
    receiver.respond(() => ({ status: 410 }));
    const ids = await Promise.all(
      Array.from({ length: 6 }, async () => (await enqueue(await openedEvent(ctx, monitor)))[0] ?? ''),
    );
    await Promise.all([...ids.map((id) => run(id)), ...ids.map(() => runJob(reviewChannel, { channelId }))]);
    const failing = await mails();
    expect(failing).toHaveLength(2);
    for (const payload of failing) await runJob(mailChannelHealth, payload);
    for (const owner of owners) expect(await mailsTo(owner)).toEqual(['The channel Ops is failing']);
    await db.$executeRaw`delete from graphile_worker._private_jobs`;
    receiver.respond(() => ({ status: 200 }));
    const more = await Promise.all(
      Array.from({ length: 4 }, async () => (await enqueue(await openedEvent(ctx, monitor)))[0] ?? ''),
    );
    await db.$executeRaw`delete from graphile_worker._private_jobs`;
    await Promise.all(more.map((id) => run(id)));
    const recovered = await mails();
    expect(recovered.map(({ turn }) => turn)).toEqual(['recovered', 'recovered']);
    for (const payload of recovered) await runJob(mailChannelHealth, payload);
    for (const owner of owners) expect(await mailsTo(owner)).toHaveLength(2);
    const notices = await db.delivery.groupBy({ by: ['event'], where: { channelId: fallbackId }, _count: true });
    expect(Object.fromEntries(notices.map(({ event, _count }) => [event, _count]))).toMatchObject({
      'channel.failing': 1,
      'channel.recovered': 1,
    });
  });

  it('get no mail about a channel that recovered before the mail was sent', async () => {
    const owner = await newOwner();
    receiver.respond(() => ({ status: 410 }));
    await run(...(await enqueue(await openedEvent(ctx, monitor))));
    const [payload] = await mails();
    receiver.respond(() => ({ status: 200 }));
    await run(...(await enqueue(await openedEvent(ctx, monitor))));
    if (payload) await runJob(mailChannelHealth, payload);
    expect(await mailsTo(owner)).toEqual([]);
    expect((await mails()).filter(({ turn }) => turn === 'recovered')).toEqual([]);
  });

  it('mails the owners once an hour about a channel that alternates', async () => {
    const owner = await newOwner();
    for (const status of [410, 200, 410, 200, 410]) {
      receiver.respond(() => ({ status }));
      await run(...(await enqueue(await openedEvent(ctx, monitor))));
      for (const payload of await mails()) await runJob(mailChannelHealth, payload);
      await db.$executeRaw`delete from graphile_worker._private_jobs`;
    }
    expect(await mailsTo(owner)).toEqual(['The channel Ops is failing', 'The channel Ops delivers again']);
  });
});

describe('choosing a fallback', () => {
  const refused = (input: { id: string; fallbackChannelId: string | null }, message: RegExp) =>
    expect(setFallback({ ctx, input })).rejects.toThrow(message);

  it('refuses the channel itself, a cycle, a fallback of the fallback, and channels of others', async () => {
    const mail = { type: 'email', name: 'Mail', config: { to: 'a@example.test' } } as const;
    const { id: third } = await createChannel({ ctx, input: mail });
    await refused({ id: channelId, fallbackChannelId: channelId }, /itself/);
    await refused({ id: fallbackId, fallbackChannelId: channelId }, /team's fallback/);
    await setFallback({ ctx, input: { id: channelId, fallbackChannelId: third } });
    await refused({ id: third, fallbackChannelId: channelId }, /itself/);
    await expect(setTeamFallback({ ctx, input: { fallbackChannelId: channelId } })).rejects.toThrow(/has a fallback/);
    const { id: foreign } = await newWebhook(await newTeam(), receiver.url);
    await refused({ id: channelId, fallbackChannelId: foreign }, /no such/);
    await expect(setTeamFallback({ ctx, input: { fallbackChannelId: foreign } })).rejects.toThrow(/no such/);
  });

  it('prevents a cycle of two concurrent changes', async () => {
    const { id: third } = await newWebhook(ctx, receiver.url);
    const settled = await Promise.allSettled([
      setFallback({ ctx, input: { id: channelId, fallbackChannelId: third } }),
      setFallback({ ctx, input: { id: third, fallbackChannelId: channelId } }),
    ]);
    expect(settled.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is removed when the fallback channel is deleted', async () => {
    await setFallback({ ctx, input: { id: channelId, fallbackChannelId: (await newWebhook(ctx, receiver.url)).id } });
    const { fallbackChannelId } = await readChannel({ ctx, input: { id: channelId } });
    await deleteChannel({ ctx, input: { id: fallbackChannelId ?? '' } });
    await deleteChannel({ ctx, input: { id: fallbackId } });
    expect(await readChannel({ ctx, input: { id: channelId } })).toMatchObject({ fallbackChannelId: null });
    expect(await db.team.findUnique({ where: { id: ctx.team.id } })).toMatchObject({ fallbackChannelId: null });
  });
});
