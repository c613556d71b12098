import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteChannel } from '@/server/notifications/delete-channel';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { queueChannels } from '@/server/notifications/deliveries/queue-queries';
import type { NotifiableEvent } from '@/server/notifications/messages/event';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { TeamContext } from '@/server/trpc/contexts';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { runJob } from '@/tests/support/run-job';
import { newMonitor, newTeam, newWebhook, openedEvent } from './support';

let ctx: TeamContext;

beforeEach(async () => {
  ctx = await newTeam();
});

function enqueue(events: NotifiableEvent[]) {
  return db.$transaction((tx) => createDeliveries(tx, events));
}

function deliveries() {
  return db.delivery.findMany({ where: { teamId: ctx.team.id }, orderBy: { id: 'asc' } });
}

const jobIds = () => db.$queryRaw<{ id: string }[]>`select id::text from graphile_worker.jobs order by id`;

/** The channels that a queued job will send to. */
async function queued(): Promise<Set<string>> {
  const rows = await db.$queryRaw<
    { id: string }[]
  >`select payload->>'channelId' as id from graphile_worker._private_jobs`;
  return new Set(rows.map(({ id }) => id));
}

describe('enqueueing notifications', () => {
  it('writes one delivery per channel of the team, and queues each', async () => {
    const outsider = await newTeam();
    await newWebhook(outsider, 'https://example.com/outsider');
    const channels = [await newWebhook(ctx, 'https://example.com/a'), await newWebhook(ctx, 'https://example.com/b')];
    const event = await openedEvent(ctx, await newMonitor(ctx.team.id));
    await enqueue([event]);
    const rows = await deliveries();
    expect(rows.map(({ channelId }) => channelId).sort()).toEqual(channels.map(({ id }) => id).sort());
    const links = {
      incident: `http://127.0.0.1:3000/incidents/${event.incidentId}`,
      monitor: `http://127.0.0.1:3000/monitors/${event.monitorIds?.[0]}`,
    };
    for (const row of rows) {
      expect(row).toMatchObject({ event: 'incident.opened', status: 'pending', incidentId: event.incidentId });
      expect(row.payload).toEqual({
        type: 'incident.opened',
        timestamp: expect.any(String),
        data: { ...event.data, links },
      });
    }
    expect([...(await queued())]).toEqual(expect.arrayContaining(channels.map(({ id }) => id)));
    expect(await db.delivery.count({ where: { teamId: outsider.team.id } })).toBe(0);
  });

  it('sends the messages of a team with few pending before those of one with many', async () => {
    const quiet = await newTeam();
    const [{ id: busy }, { id: free }] = await Promise.all([
      newWebhook(ctx, 'https://example.com/a'),
      newWebhook(quiet, 'https://example.com/b'),
    ]);
    /** The priority of the last job of a channel, or of its timer. */
    const priorityOf = async (channelId: string, key: string | null = null) => {
      const [job] = await db.$queryRaw<{ priority: number }[]>`
        select job.priority from graphile_worker.jobs job join graphile_worker._private_jobs own using (id)
        where own.payload->>'channelId' = ${channelId} and job.key is not distinct from ${key}
        order by job.id desc limit 1`;
      return job?.priority;
    };
    const afterIncident = async (of: TeamContext, channelId: string) => {
      await enqueue([await openedEvent(of)]);
      return priorityOf(channelId);
    };
    expect(await afterIncident(ctx, busy)).toBe(0);
    const many = await Promise.all(Array.from({ length: 40 }, () => openedEvent(ctx)));
    await enqueue(many);
    expect([await afterIncident(ctx, busy), await afterIncident(quiet, free)]).toEqual([2, 0]);
    await db.$transaction((tx) => queueChannels(tx, [busy, free], { notBefore: null }));
    expect([await priorityOf(busy, `deliver:${busy}`), await priorityOf(free, `deliver:${free}`)]).toEqual([2, 0]);
    await db.delivery.updateMany({
      where: { teamId: ctx.team.id },
      data: { nextAttemptAt: new Date(Date.now() + 60_000) },
    });
    expect(await afterIncident(ctx, busy)).toBe(0);
    // Deliveries behind these do not count.
    const ends = many.map((event) => ({ ...event, eventKey: `incident.resolved:${event.incidentId}` }));
    await enqueue(ends.map((event) => ({ ...event, event: 'incident.resolved' as const })));
    expect(await afterIncident(ctx, busy)).toBe(0);
  });

  it('selects only the channels that the monitor names', async () => {
    const [named] = [await newWebhook(ctx, 'https://example.com/a'), await newWebhook(ctx, 'https://example.com/b')];
    const monitor = await newMonitor(ctx.team.id, 'Choosy', { allChannels: false });
    await db.monitorChannel.create({ data: { monitorId: monitor.id, channelId: named.id } });
    const silent = await newMonitor(ctx.team.id, 'Silent', { allChannels: false });
    await enqueue([await openedEvent(ctx, monitor), await openedEvent(ctx, silent)]);
    expect((await deliveries()).map(({ channelId }) => channelId)).toEqual([named.id]);
  });

  it('selects each channel of any of the monitors once, if the rules of both match the same monitor', async () => {
    const [both, one, none] = await Promise.all(
      ['a', 'b', 'c'].map((path) => newWebhook(ctx, `https://example.com/${path}`)),
    );
    const choosy = await newMonitor(ctx.team.id, 'Choosy', { allChannels: false });
    await db.monitor.update({ where: { id: choosy.id }, data: { tags: ['pay'] } });
    const open = await newMonitor(ctx.team.id, 'Open');
    await db.monitorChannel.create({ data: { monitorId: choosy.id, channelId: one?.id ?? '' } });
    // Only the choosy monitor has the tag, and it does not name this channel.
    await db.channel.update({ where: { id: none?.id ?? '' }, data: { allMonitors: false, tags: ['pay'] } });
    await db.channel.update({ where: { id: one?.id ?? '' }, data: { allMonitors: false, tags: ['pay'] } });
    const event = { ...(await openedEvent(ctx, choosy)), monitorIds: [choosy.id, newId(), open.id] };
    await enqueue([event]);
    const reached = (await deliveries()).map(({ channelId }) => channelId);
    expect(reached.toSorted()).toEqual([both?.id, one?.id].toSorted());
  });

  it('selects every channel if there is no monitor', async () => {
    await newWebhook(ctx, 'https://example.com/a');
    await enqueue([await openedEvent(ctx)]);
    expect(await deliveries()).toHaveLength(1);
  });

  it('writes nothing new the second time', async () => {
    await newWebhook(ctx, 'https://example.com/a');
    const event = await openedEvent(ctx);
    await enqueue([event]);
    const before = await jobIds();
    await enqueue([event]);
    await enqueue([event, event]);
    expect(await deliveries()).toHaveLength(1);
    expect(await jobIds()).toEqual(before);
  });

  it('leaves nothing behind if its transaction is rolled back', async () => {
    await newWebhook(ctx, 'https://example.com/a');
    const event = await openedEvent(ctx);
    const before = await jobIds();
    const failing = db.$transaction(async (tx) => {
      await createDeliveries(tx, [event]);
      throw new Error('The state did not change after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(await deliveries()).toEqual([]);
    expect(await jobIds()).toEqual(before);
  });

  it('does nothing for a team without channels, and for no events', async () => {
    await enqueue([await openedEvent(ctx)]);
    await enqueue([]);
    expect(await deliveries()).toEqual([]);
  });

  it('succeeds if a channel is deleted meanwhile', async () => {
    const doomed = await newWebhook(ctx, 'https://example.com/doomed');
    await newWebhook(ctx, 'https://example.com/stays');
    const events = await Promise.all(Array.from({ length: 20 }, () => openedEvent(ctx)));
    const [deleted, ...enqueued] = await Promise.allSettled([
      deleteChannel({ ctx, input: { id: doomed.id } }),
      ...events.map((event) => enqueue([event])),
    ]);
    expect(deleted?.status).toBe('fulfilled');
    expect(enqueued.filter(({ status }) => status === 'rejected')).toEqual([]);
    await runJob(removeDeleted, {});
    expect(await deliveries()).toHaveLength(20);
  });
});

describe('enqueueing a thousand events', () => {
  it('takes three statements', async () => {
    for (const path of ['a', 'b', 'c']) await newWebhook(ctx, `https://example.com/${path}`);
    const template = await openedEvent(ctx, await newMonitor(ctx.team.id));
    const events = Array.from({ length: 1_000 }, () => ({ ...template, eventKey: `incident.opened:${newId()}` }));
    const statements = await db.$transaction(async (tx) => {
      const spies = [vi.spyOn(tx, '$queryRaw'), vi.spyOn(tx, '$executeRaw')];
      await createDeliveries(tx, events);
      return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    });
    expect(statements).toBe(3);
    const rows = await deliveries();
    expect(rows).toHaveLength(3_000);
    expect(new Set(rows.map(({ eventKey }) => eventKey)).size).toBe(1_000);
    const channels = await queued();
    expect(rows.filter(({ channelId }) => !channels.has(channelId))).toEqual([]);
  });
});
