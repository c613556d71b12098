import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { acknowledgeIncident } from '@/server/incidents/acknowledgments/acknowledge-incident';
import { reopenIncident } from '@/server/incidents/reopen-incident';
import { resolveIncident } from '@/server/incidents/resolve-incident';
import { createChannel } from '@/server/notifications/create-channel';
import { claim } from '@/server/notifications/deliveries/claim';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import { endReminders } from '@/server/notifications/deliveries/end-reminder-queries';
import { sendReminders } from '@/server/notifications/deliveries/send-reminders';
import type { NotifiableEvent } from '@/server/notifications/messages/event';
import { listDeliveries, readDelivery } from '@/server/notifications/queries';
import { replayDelivery } from '@/server/notifications/replay/replay-deliveries';
import { readGrouping, updateGrouping } from '@/server/notifications/rules/alert-grouping';
import { readRules, updateRules } from '@/server/notifications/rules/update-rules';
import { CreateChannelInput, UpdateRulesInput } from '@/server/notifications/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import type { TeamContext } from '@/server/trpc/contexts';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { runJob } from '@/tests/support/run-job';
import { deliver, newMonitor, newTeam, newWebhook, openedEvent } from './support';

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
  const config = { webhookUrl: `${receiver.url}/chat` };
  ({ id: channelId } = await createChannel({ ctx, input: { type: 'discord', name: 'Chat', config } }));
});

const update = (changes: Omit<UpdateRulesInput, 'id'>) => updateRules({ ctx, input: { id: channelId, ...changes } });

/** A monitor with tags, whose incident is opened. */
async function openedAbout(
  name: string,
  tags: string[] = [],
): Promise<NotifiableEvent & { monitorId: string; incidentId: string }> {
  const monitor = await newMonitor(ctx.team.id, name);
  await db.monitor.update({ where: { id: monitor.id }, data: { tags } });
  return { ...(await openedEvent(ctx, monitor)), monitorId: monitor.id };
}

function withSeverity(event: NotifiableEvent, severity: 'critical' | 'warning' | 'minor'): NotifiableEvent {
  const { incident } = event.data;
  return { ...event, data: { ...event.data, incident: incident && { ...incident, severity } } };
}

type Later = 'incident.acknowledged' | 'incident.resolved';
const followedBy = (event: NotifiableEvent, later: Later): NotifiableEvent => ({
  ...event,
  event: later,
  eventKey: `${later}:${event.incidentId}`,
});

async function enqueue(...events: NotifiableEvent[]) {
  await db.$transaction((tx) => createDeliveries(tx, events));
}

/** The events that were sent to the channel, in order, by monitor. */
async function sentEvents() {
  const { deliveries } = await listDeliveries(db, ctx.team.id, { id: channelId, limit: 50 });
  return deliveries.map(({ event, monitorName }) => `${monitorName}: ${event}`).toReversed();
}

const look = () => deliver(channelId);

const titles = () =>
  receiver.requests.map(({ body }) => (JSON.parse(body) as { embeds: [{ title: string }] }).embeds[0].title);

describe('routing', () => {
  it('gives a new channel every alert of every monitor', async () => {
    await newMonitor(ctx.team.id);
    expect(await readRules({ ctx, input: { id: channelId } })).toEqual({
      monitorIds: null,
      tags: [],
      minSeverity: 'minor',
      quietHours: null,
      maxPerMinute: 5,
      reminderMinutes: 0,
      events: ['down', 'degraded', 'certificate', 'manual', 'acknowledged', 'recovered', 'maintenance'],
      matchingMonitors: 1,
    });
  });

  it('selects monitors by tag and by name', async () => {
    const [tagged, named, other] = [
      await openedAbout('A', ['pay']),
      await openedAbout('B'),
      await openedAbout('C', ['x']),
    ];
    const rules = await update({ monitorIds: [named.monitorId], tags: ['pay'] });
    expect(rules).toMatchObject({ monitorIds: [named.monitorId], tags: ['pay'], matchingMonitors: 2 });
    await enqueue(tagged, named, other, await openedEvent(ctx));
    expect((await sentEvents()).sort()).toEqual(['A: incident.opened', 'B: incident.opened']);
    expect(await update({ monitorIds: null })).toMatchObject({ monitorIds: null, tags: [], matchingMonitors: 3 });
  });

  it('counts and notifies only for monitors that have the channel', async () => {
    const choosy = await newMonitor(ctx.team.id, 'Choosy', { allChannels: false });
    await db.monitor.update({ where: { id: choosy.id }, data: { tags: ['pay'] } });
    expect(await update({ tags: ['pay'] })).toMatchObject({ monitorIds: [], matchingMonitors: 0 });
    await enqueue(await openedEvent(ctx, choosy));
    expect(await sentEvents()).toEqual([]);
  });

  it('leaves out less severe incidents', async () => {
    await update({ minSeverity: 'warning' });
    const [a, b, c] = [await openedAbout('A'), await openedAbout('B'), await openedAbout('C')];
    await enqueue(withSeverity(a, 'critical'), withSeverity(b, 'warning'), withSeverity(c, 'minor'));
    expect((await sentEvents()).sort()).toEqual(['A: incident.opened', 'B: incident.opened']);
  });

  it('leaves out kinds of events that are turned off, with what follows them', async () => {
    await update({ events: ['degraded', 'recovered'] });
    const event = await openedAbout('A');
    await enqueue(event);
    await enqueue(followedBy(event, 'incident.resolved'));
    expect(await sentEvents()).toEqual([]);
  });

  it('notifies a channel of the end of an incident that it was notified of, whatever its rules and the monitor are now', async () => {
    const event = await openedAbout('A');
    await enqueue(event);
    await update({ tags: ['other'], minSeverity: 'critical' });
    await db.monitor.update({ where: { id: event.monitorId }, data: { allChannels: false } });
    await enqueue(followedBy(event, 'incident.acknowledged'));
    await update({ events: ['down', 'recovered'] });
    await enqueue(withSeverity(followedBy(event, 'incident.resolved'), 'minor'));
    expect(await sentEvents()).toEqual(['A: incident.opened', 'A: incident.acknowledged', 'A: incident.resolved']);
  });

  it('does not send the recovery if recoveries are turned off', async () => {
    const event = await openedAbout('A');
    await enqueue(event);
    await update({ events: ['down'] });
    await enqueue(followedBy(event, 'incident.resolved'));
    expect(await sentEvents()).toEqual(['A: incident.opened']);
  });
});

describe('rules', () => {
  it('records a change of rules in the audit log, once', async () => {
    await update({ minSeverity: 'critical' });
    await update({ minSeverity: 'critical' });
    const entries = await db.auditEntry.findMany({ where: { teamId: ctx.team.id, action: 'channel.update' } });
    expect(entries).toMatchObject([{ before: { minSeverity: 'minor' }, after: { minSeverity: 'critical' } }]);
  });

  it.each<[string, unknown]>([
    ['no monitor and no tag', { monitorIds: [], tags: [] }],
    ['an unknown kind of event', { events: ['up'] }],
    ['quiet hours without a day', { quietHours: { days: [], from: '22:00', to: '07:00', timezone: 'UTC' } }],
    ['quiet hours of no length', { quietHours: { days: ['MO'], from: '22:00', to: '22:00', timezone: 'UTC' } }],
    ['a time of day that does not exist', { quietHours: { days: ['MO'], from: '24:00', to: '7:00', timezone: 'UTC' } }],
    ['an unknown time zone', { quietHours: { days: ['MO'], from: '22:00', to: '07:00', timezone: 'Mars/Base' } }],
    ['reminders every minute', { reminderMinutes: 1 }],
    ['no messages at all', { maxPerMinute: 0 }],
    ['nothing to change', {}],
  ])('reject %s', (_, changes) => {
    expect(UpdateRulesInput.safeParse({ id: channelId, ...(changes as object) }).success).toBe(false);
  });

  it.each([
    ['opsgenie', 'Opsgenie', { apiKey: 'a'.repeat(36), region: 'us' }],
    ['pagerduty', 'PagerDuty', { routingKey: 'a'.repeat(32), region: 'us' }],
  ] as const)('reject maintenance for %s, which pages people and never gets it', async (type, label, config) => {
    const input = CreateChannelInput.parse({ type, name: 'Pager', config });
    const { id } = await createChannel({ ctx, input });
    const { events } = await readRules({ ctx, input: { id } });
    expect(events).toEqual(['down', 'degraded', 'certificate', 'manual', 'acknowledged', 'recovered']);
    const message = `${label} pages people and gets no maintenance events.`;
    const changing = updateRules({ ctx, input: { id, events: ['down', 'maintenance'] } });
    await expect(changing).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'events', message }] });
    expect(await updateRules({ ctx, input: { id, events: ['down', 'recovered'] } })).toMatchObject({
      events: ['down', 'recovered'],
    });
  });

  it("reject another team's monitor", async () => {
    const { id } = await newMonitor((await newTeam()).team.id);
    await expect(update({ monitorIds: [id] })).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
  });

  it("are not found for another team's channel", async () => {
    const outsider = await newTeam();
    const changing = updateRules({ ctx: outsider, input: { id: channelId, tags: ['a'] } });
    await expect(changing).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('have no quiet hours and no reminders for a receiver that mirrors incidents', async () => {
    const { id } = await newWebhook(ctx, receiver.url);
    for (const changes of [{ reminderMinutes: 30 }, { quietHours: quietNow() }]) {
      const changing = updateRules({ ctx, input: { id, ...changes } });
      await expect(changing).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    }
  });

  it('keeps two changes of rules that are made at the same time', async () => {
    await Promise.all([update({ tags: ['pay'] }), update({ maxPerMinute: 9 }), update({ reminderMinutes: 30 })]);
    const rules = await readRules({ ctx, input: { id: channelId } });
    expect(rules).toMatchObject({ tags: ['pay'], maxPerMinute: 9, reminderMinutes: 30 });
  });
});

/** Quiet hours around the present moment. */
function quietNow(sendsCritical = true) {
  const hour = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16);
  const days = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
  return { days: [...days], from: hour(-2), to: hour(2), timezone: 'UTC', sendsCritical };
}

describe('quiet hours', () => {
  it('hold alerts and sum them up at their end', async () => {
    await update({ quietHours: quietNow() });
    const [brief, lasting] = [
      withSeverity(await openedAbout('A'), 'warning'),
      withSeverity(await openedAbout('B'), 'warning'),
    ];
    await enqueue(brief, lasting);
    await look();
    await enqueue(withSeverity(followedBy(brief, 'incident.resolved'), 'warning'));
    await look();
    expect(titles()).toEqual([]);
    const { deliveries } = await listDeliveries(db, ctx.team.id, { id: channelId, limit: 9 });
    expect(new Set(deliveries.map(({ hold }) => hold))).toEqual(new Set(['quiet_hours']));
    const [job] = await db.$queryRaw<{ run_at: Date }[]>`
      select run_at from graphile_worker.jobs where key = ${`deliver:${channelId}`}`;
    expect(job?.run_at.toISOString()).toBe(deliveries.at(-1)?.nextAttemptAt);
    expect(job?.run_at.toISOString().slice(11, 16)).toBe(quietNow().to);
    // Their end, as time brings it.
    await db.$executeRaw`update channels set quiet_hours = null where id = ${channelId}`;
    await db.$executeRaw`update deliveries set next_attempt_at = now() where channel_id = ${channelId}`;
    await look();
    expect(titles()).toEqual(['1 monitor is down, 1 recovered']);
  });

  it('sums up quiet hours in one message if the team does not group alerts', async () => {
    await db.team.update({ where: { id: ctx.team.id }, data: { groupSeconds: 0 } });
    await update({ quietHours: quietNow() });
    await enqueue(withSeverity(await openedAbout('A'), 'minor'), withSeverity(await openedAbout('B'), 'minor'));
    await look();
    expect(titles()).toEqual([]);
    await db.$executeRaw`update channels set quiet_hours = null where id = ${channelId}`;
    await db.$executeRaw`update deliveries set next_attempt_at = now() where channel_id = ${channelId}`;
    await look();
    expect(titles()).toEqual(['2 monitors are down']);
  });

  it.each([
    [true, ['A is down']],
    [false, []],
  ])('let critical alerts through if their setting says so: %s', async (sendsCritical, expected) => {
    await update({ quietHours: quietNow(sendsCritical) });
    await enqueue(withSeverity(await openedAbout('A'), 'critical'), withSeverity(await openedAbout('B'), 'minor'));
    await look();
    expect(titles()).toEqual(expected);
  });

  it('release what they hold when they are turned off', async () => {
    await update({ quietHours: quietNow() });
    await enqueue(withSeverity(await openedAbout('A'), 'minor'));
    await look();
    await update({ quietHours: null });
    await look();
    expect(titles()).toEqual(['A is down']);
  });

  it('hold what is pending when they are turned on', async () => {
    await enqueue(withSeverity(await openedAbout('A'), 'minor'));
    await update({ quietHours: quietNow() });
    await look();
    expect(titles()).toEqual([]);
  });
});

describe('reminders', () => {
  /** An incident of which the channel was notified some minutes ago. */
  async function toldAgo(minutes: number) {
    const event = await openedAbout('A');
    await enqueue(event);
    await db.$executeRaw`
      update incidents set open_key = ${`${event.monitorId}:status`} where id = ${event.incidentId}`;
    await db.$executeRaw`
      update deliveries set status = 'delivered', created_at = now() - ${minutes}::int * interval '1 minute'
      where channel_id = ${channelId}`;
    return event;
  }
  /** Lets minutes pass. */
  async function ageBy(minutes: number) {
    await db.$executeRaw`
      update deliveries set created_at = created_at - ${minutes}::int * interval '1 minute' where channel_id = ${channelId}`;
    await db.$executeRaw`
      update delivery_attempts set at = at - ${minutes}::int * interval '1 minute'
      where delivery_id in (select id from deliveries where channel_id = ${channelId})`;
  }
  const reminders = async () => (await sentEvents()).filter((line) => line.endsWith('reminder')).length;
  const remind = () => Promise.all([runJob(sendReminders, {}), runJob(sendReminders, {})]);

  it('sends one reminder per interval, with two workers together', async () => {
    await update({ reminderMinutes: 30 });
    await toldAgo(29);
    await remind();
    expect(await reminders()).toBe(0);
    await db.$executeRaw`update deliveries set created_at = now() - interval '31 min' where channel_id = ${channelId}`;
    await remind();
    await remind();
    expect(await reminders()).toBe(1);
    await look();
    expect(titles()).toEqual(['Reminder: A is down']);
    await remind();
    expect(await reminders()).toBe(1);
    await ageBy(31);
    await remind();
    expect(await reminders()).toBe(2);
  });

  it('start when quiet hours end, however long these were, and are not written meanwhile', async () => {
    await update({ reminderMinutes: 30, quietHours: quietNow(false) });
    const { incidentId } = await toldAgo(31);
    await remind();
    await look();
    await ageBy(600);
    await remind();
    expect(await reminders()).toBe(1);
    await update({ quietHours: null });
    await look();
    await remind();
    expect(titles()).toEqual(['Reminder: A is down']);
    expect(await reminders()).toBe(1);
    await ageBy(31);
    await remind();
    expect(await reminders()).toBe(2);
    await db.$executeRaw`update incidents set status = 'acknowledged' where id = ${incidentId}`;
    await look();
    expect(await reminders()).toBe(1);
    expect(titles()).toEqual(['Reminder: A is down']);
  });

  it.each([0, 15])(
    'end at the acknowledgment, also one that is retried (alerts grouped by %i s)',
    async (groupSeconds) => {
      await db.team.update({ where: { id: ctx.team.id }, data: { groupSeconds } });
      await update({ reminderMinutes: 30 });
      const { incidentId } = await toldAgo(31);
      receiver.respond(() => ({ status: 500 }));
      await remind();
      await look();
      expect(titles()).toEqual(['Reminder: A is down']);
      receiver.respond(() => ({ status: 200 }));
      await acknowledgeIncident({ ctx, input: { id: incidentId } });
      await db.$executeRaw`update channels set recent_sends = '{}' where id = ${channelId}`;
      await look();
      expect(titles()).toEqual(['Reminder: A is down', 'A: incident acknowledged']);
      expect(await sentEvents()).toEqual(['A: incident.opened', 'A: incident.reminder', 'A: incident.acknowledged']);
      const { deliveries } = await listDeliveries(db, ctx.team.id, { id: channelId, limit: 9 });
      expect(deliveries[1]).toMatchObject({
        status: 'failed',
        nextAttemptAt: null,
        attempts: [{ statusCode: 500 }, { statusCode: null, error: 'Not sent again: the incident is no longer open' }],
      });
      await ageBy(600);
      await remind();
      expect(await reminders()).toBe(1);
    },
  );

  it('wake what waited for them when they end', async () => {
    await db.team.update({ where: { id: ctx.team.id }, data: { groupSeconds: 0 } });
    await update({ reminderMinutes: 30 });
    const { incidentId } = await toldAgo(31);
    receiver.respond(() => ({ status: 500 }));
    await remind();
    await look();
    receiver.respond(() => ({ status: 200 }));
    const reminder = await db.delivery.findFirstOrThrow({ where: { channelId, event: 'incident.reminder' } });
    const isSent = (data: { leaseUntil: Date; nextAttemptAt: Date }) =>
      db.delivery.update({ where: { id: reminder.id }, data });
    const leaseUntil = new Date(Date.now() + 20_000);
    await isSent({ leaseUntil, nextAttemptAt: leaseUntil });
    await acknowledgeIncident({ ctx, input: { id: incidentId } });
    // It waits for the reminder, which is being sent.
    await look();
    expect(titles()).toEqual(['Reminder: A is down']);
    const timer = await db.$queryRaw<{ run_at: Date }[]>`
      select run_at from graphile_worker.jobs where key = ${`deliver:${channelId}`}`;
    expect(timer).toEqual([{ run_at: leaseUntil }]);
    // That attempt failed too, and the next one is due.
    await isSent({ leaseUntil, nextAttemptAt: new Date() });
    await look();
    expect(titles()).toEqual(['Reminder: A is down', 'A: incident acknowledged']);
  });

  it('leave what follows them behind what they follow', async () => {
    const event = await toldAgo(31);
    const of = (name: Later | 'incident.reminder', number: number) => ({
      ...event,
      event: name,
      eventKey: `${name}:${event.incidentId}:${number}`,
    });
    // As copies for a fallback: the first message is retried, and the others wait for it.
    await db.delivery.updateMany({ where: { channelId }, data: { status: 'pending' } });
    await enqueue(of('incident.reminder', 1));
    await enqueue(of('incident.reminder', 2));
    await enqueue(of('incident.acknowledged', 0));
    await db.incident.update({ where: { id: event.incidentId }, data: { status: 'acknowledged' } });
    const turn = await claim(channelId);
    expect(turn?.claims.map(({ event: each }) => each)).toEqual(['incident.opened', 'incident.acknowledged']);
    expect(await db.delivery.count({ where: { channelId } })).toBe(2);
  });

  it('sends a reminder again by a replay, also if the incident is no longer open', async () => {
    await update({ reminderMinutes: 30 });
    const { incidentId } = await toldAgo(31);
    await remind();
    await look();
    await acknowledgeIncident({ ctx, input: { id: incidentId } });
    await db.$executeRaw`update channels set recent_sends = '{}' where id = ${channelId}`;
    await look();
    const { id } = await db.delivery.findFirstOrThrow({ where: { channelId, event: 'incident.reminder' } });
    await replayDelivery({ ctx, input: { id: channelId, deliveryId: id } });
    await db.$executeRaw`update channels set recent_sends = '{}', last_message = null where id = ${channelId}`;
    await look();
    expect(await readDelivery(db, ctx.team.id, id)).toMatchObject({
      status: 'delivered',
      attempts: [{ statusCode: 200 }, { statusCode: 200 }],
    });
    expect(titles()).toEqual(['Reminder: A is down', 'A: incident acknowledged', 'Reminder: A is down']);
  });

  it('do not stop an event that is enqueued while they are deleted', async () => {
    await update({ reminderMinutes: 30, events: ['down', 'recovered'] });
    const event = await toldAgo(31);
    await remind();
    await acknowledgeIncident({ ctx, input: { id: event.incidentId } });
    await db.$transaction(async (tx) => {
      await endReminders(tx, channelId, new Date(Date.now() + 1_000));
      await enqueue(followedBy(event, 'incident.resolved'));
    });
    expect(await sentEvents()).toEqual(['A: incident.opened', 'A: incident.resolved']);
  });

  it('deletes no reminder while it is sent', async () => {
    await update({ reminderMinutes: 30 });
    const { incidentId } = await toldAgo(31);
    await remind();
    const leaseUntil = new Date(Date.now() + 20_000);
    await db.delivery.updateMany({
      where: { event: 'incident.reminder' },
      data: { leaseUntil, nextAttemptAt: leaseUntil },
    });
    await acknowledgeIncident({ ctx, input: { id: incidentId } });
    await look();
    expect(await reminders()).toBe(1);
  });

  it('start again with a reopening, one interval after it', async () => {
    await update({ reminderMinutes: 30 });
    const { incidentId } = await toldAgo(31);
    const settle = async () => {
      await db.$executeRaw`update channels set recent_sends = '{}' where id = ${channelId}`;
      await look();
    };
    await resolveIncident({ ctx, input: { id: incidentId } });
    await settle();
    await reopenIncident({ ctx, input: { id: incidentId } });
    await settle();
    await remind();
    expect(await reminders()).toBe(0);
    await ageBy(31);
    await remind();
    expect(await reminders()).toBe(1);
  });

  it('end after ten', async () => {
    await update({ reminderMinutes: 30 });
    await toldAgo(31);
    for (let count = 1; count <= 11; count += 1) {
      await remind();
      await db.$executeRaw`update deliveries set status = 'delivered' where channel_id = ${channelId}`;
      await ageBy(31);
    }
    expect(await reminders()).toBe(10);
  });

  it('sends up to ten reminders again after a reopening', async () => {
    await update({ reminderMinutes: 30 });
    const { incidentId } = await toldAgo(31);
    const remindOften = async () => {
      for (let count = 1; count <= 11; count += 1) {
        await remind();
        await db.$executeRaw`update deliveries set status = 'delivered' where channel_id = ${channelId}`;
        await ageBy(31);
      }
    };
    await remindOften();
    await resolveIncident({ ctx, input: { id: incidentId } });
    await reopenIncident({ ctx, input: { id: incidentId } });
    await db.$executeRaw`update deliveries set status = 'delivered' where channel_id = ${channelId}`;
    await ageBy(31);
    await remindOften();
    expect(await reminders()).toBe(20);
  });

  it('go on behind a gap in their numbers', async () => {
    await update({ reminderMinutes: 30 });
    const { incidentId } = await toldAgo(31);
    const keys = async () =>
      (await db.delivery.findMany({ where: { channelId, event: 'incident.reminder' }, orderBy: { id: 'asc' } })).map(
        ({ eventKey }) => eventKey.replace(incidentId, ''),
      );
    const next = async () => {
      await remind();
      await db.$executeRaw`update deliveries set status = 'delivered' where channel_id = ${channelId}`;
      await ageBy(31);
    };
    await next();
    await db.delivery.updateMany({
      where: { event: 'incident.reminder', incidentId },
      data: { eventKey: `incident.reminder:${incidentId}:2` },
    });
    await next();
    await next();
    expect(await keys()).toEqual(['incident.reminder::2', 'incident.reminder::3', 'incident.reminder::4']);
  });

  it('end a run in which none of those that are due can be written', async () => {
    await update({ reminderMinutes: 30 });
    const { incidentId } = await toldAgo(31);
    const teamId = ctx.team.id;
    const rows = Array.from({ length: 500 }, () => newId());
    const startedAt = new Date();
    await db.incident.createMany({
      data: rows.map((id) => ({
        id,
        teamId,
        type: 'downtime',
        status: 'open',
        openKey: id,
        startedAt,
        cause: 'HTTP 503',
      })),
    });
    const { payload } = await db.delivery.findFirstOrThrow({ where: { incidentId } });
    const sent = {
      teamId,
      channelId,
      payload: payload as object,
      status: 'delivered',
      createdAt: new Date(0),
    } as const;
    await db.delivery.createMany({
      data: rows.flatMap((id) => [
        { ...sent, id: newId(), incidentId: id, event: 'incident.opened', eventKey: `incident.opened:${id}` },
        // Taken, and not seen as one of the incident's.
        { ...sent, id: newId(), event: 'incident.reminder', eventKey: `incident.reminder:${id}:1` },
      ]),
    });
    await db.incident.delete({ where: { id: incidentId } });
    try {
      await runJob(sendReminders, {});
      expect(await db.delivery.count({ where: { channelId, status: 'pending' } })).toBe(0);
    } finally {
      await db.incident.deleteMany({ where: { teamId } });
    }
  });

  it.each([
    ['the incident is acknowledged', `update incidents set status = 'acknowledged'`],
    ['the incident is resolved', `update incidents set status = 'resolved', open_key = null`],
    ['the channel has none', `update channels set reminder_minutes = 0`],
    ['the channel was not notified yet', `update deliveries set status = 'pending'`],
  ])('sends no reminder if %s', async (_, change) => {
    await update({ reminderMinutes: 30 });
    await toldAgo(31);
    await db.$executeRawUnsafe(`${change} where team_id = '${ctx.team.id}'`);
    await remind();
    expect(await reminders()).toBe(0);
  });

  it('sends no reminder in maintenance', async () => {
    await update({ reminderMinutes: 30 });
    const { monitorId } = await toldAgo(31);
    const maintenance = [new Date(Date.now() - 60_000), new Date(Date.now() + 60_000)];
    await db.monitorState.create({ data: { monitorId, teamId: ctx.team.id, maintenance } });
    await remind();
    expect(await reminders()).toBe(0);
  });
});

describe('alert grouping of a team', () => {
  it('is 15 s at first, and recorded when it changes', async () => {
    expect(await readGrouping({ ctx })).toEqual({ seconds: 15 });
    await updateGrouping({ ctx, input: { seconds: 60 } });
    await updateGrouping({ ctx, input: { seconds: 60 } });
    expect(await readGrouping({ ctx })).toEqual({ seconds: 60 });
    const entries = await db.auditEntry.findMany({ where: { teamId: ctx.team.id, action: 'team.update' } });
    expect(entries).toMatchObject([{ before: { alertGrouping: 15 }, after: { alertGrouping: 60 } }]);
  });
});
