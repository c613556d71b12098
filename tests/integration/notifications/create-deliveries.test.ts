import { beforeEach, describe, expect, it, vi } from 'vitest';
import { deleteChannel } from '@/server/notifications/delete-channel';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { scheduleRetries } from '@/server/notifications/deliveries/queue-deliveries';
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

async function jobKeys(): Promise<string[]> {
  const rows = await db.$queryRaw<{ key: string }[]>`select key from graphile_worker.jobs`;
  return rows.map(({ key }) => key);
}

/** The deliveries that a queued job will send. */
async function queued(): Promise<Set<string>> {
  const rows = await db.$queryRaw<{ payload: { deliveryId?: string; deliveryIds?: string[] } }[]>`
    select payload from graphile_worker._private_jobs`;
  return new Set(rows.flatMap(({ payload }) => payload.deliveryIds ?? [payload.deliveryId ?? '']));
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
      monitor: `http://127.0.0.1:3000/monitors/${event.monitorId}`,
    };
    for (const row of rows) {
      expect(row).toMatchObject({ event: 'incident.opened', status: 'pending', incidentId: event.incidentId });
      expect(row.payload).toEqual({
        type: 'incident.opened',
        timestamp: expect.any(String),
        data: { ...event.data, links },
      });
    }
    expect(await jobKeys()).toEqual(expect.arrayContaining(rows.map(({ id }) => `deliver:${id}`)));
    expect(await db.delivery.count({ where: { teamId: outsider.team.id } })).toBe(0);
  });

  it('sends the messages of a team with few pending before those of one with many', async () => {
    const quiet = await newTeam();
    await Promise.all([newWebhook(ctx, 'https://example.com/a'), newWebhook(quiet, 'https://example.com/b')]);
    const incidentOf = async (of: TeamContext) => {
      const event = await openedEvent(of);
      await enqueue([event]);
      return db.delivery.findFirstOrThrow({ where: { incidentId: event.incidentId } });
    };
    const priorityOf = async ({ id }: { id: string }) => {
      const [job] = await db.$queryRaw<{ priority: number }[]>`
        select priority from graphile_worker.jobs where key = ${`deliver:${id}`}`;
      return job?.priority;
    };
    const first = await incidentOf(ctx);
    const many = await Promise.all(Array.from({ length: 40 }, () => openedEvent(ctx)));
    await enqueue(many);
    const [last, only] = [await incidentOf(ctx), await incidentOf(quiet)];
    expect(await Promise.all([first, last, only].map(priorityOf))).toEqual([0, 2, 0]);
    const runAt = new Date();
    await db.$transaction((tx) =>
      scheduleRetries(
        tx,
        [first, last, only].map(({ id }) => ({ id, runAt })),
      ),
    );
    expect(await Promise.all([first, last, only].map(priorityOf))).toEqual([2, 2, 0]);
    await db.delivery.updateMany({
      where: { teamId: ctx.team.id },
      data: { nextAttemptAt: new Date(Date.now() + 60_000) },
    });
    expect(await priorityOf(await incidentOf(ctx))).toBe(0);
    // Nor is the delivery that waits for them.
    const ends = many.map((event) => ({ ...event, eventKey: `incident.resolved:${event.incidentId}` }));
    await enqueue(ends.map((event) => ({ ...event, event: 'incident.resolved' as const })));
    expect(await priorityOf(await incidentOf(ctx))).toBe(0);
  });

  it('selects only the channels that the monitor names', async () => {
    const [named] = [await newWebhook(ctx, 'https://example.com/a'), await newWebhook(ctx, 'https://example.com/b')];
    const monitor = await newMonitor(ctx.team.id, 'Choosy', { allChannels: false });
    await db.monitorChannel.create({ data: { monitorId: monitor.id, channelId: named.id } });
    const silent = await newMonitor(ctx.team.id, 'Silent', { allChannels: false });
    await enqueue([await openedEvent(ctx, monitor), await openedEvent(ctx, silent)]);
    expect((await deliveries()).map(({ channelId }) => channelId)).toEqual([named.id]);
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
    const before = await jobKeys();
    await enqueue([event]);
    await enqueue([event, event]);
    expect(await deliveries()).toHaveLength(1);
    expect((await jobKeys()).sort()).toEqual(before.sort());
  });

  it('leaves nothing behind if its transaction is rolled back', async () => {
    await newWebhook(ctx, 'https://example.com/a');
    const event = await openedEvent(ctx);
    const before = await jobKeys();
    const failing = db.$transaction(async (tx) => {
      await createDeliveries(tx, [event]);
      throw new Error('The state did not change after all');
    });
    await expect(failing).rejects.toThrow('after all');
    expect(await deliveries()).toEqual([]);
    expect(await jobKeys()).toEqual(before);
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
  it('takes four statements', async () => {
    for (const path of ['a', 'b', 'c']) await newWebhook(ctx, `https://example.com/${path}`);
    const template = await openedEvent(ctx, await newMonitor(ctx.team.id));
    const events = Array.from({ length: 1_000 }, () => ({ ...template, eventKey: `incident.opened:${newId()}` }));
    const statements = await db.$transaction(async (tx) => {
      const spies = [vi.spyOn(tx, '$queryRaw'), vi.spyOn(tx, '$executeRaw')];
      await createDeliveries(tx, events);
      return spies.reduce((sum, spy) => sum + spy.mock.calls.length, 0);
    });
    expect(statements).toBe(4);
    const rows = await deliveries();
    expect(rows).toHaveLength(3_000);
    expect(new Set(rows.map(({ eventKey }) => eventKey)).size).toBe(1_000);
    const ids = await queued();
    expect(rows.filter(({ id }) => !ids.has(id))).toEqual([]);
  });
});
