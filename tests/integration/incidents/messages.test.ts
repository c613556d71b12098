import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readIncidentDetail } from '@/server/incidents/read-incident-detail';
import type { IncidentDetail } from '@/server/incidents/schema';
import { EventPayload } from '@/server/notifications/messages/event';
import { toMessage } from '@/server/notifications/messages/to-message';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { readRows } from '@/tests/support/database-traffic';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { call, type Person, signUp } from '@/tests/support/rest';
import { deliver } from '../notifications/support';

let receiver: HttpReceiver;
let person: Person;

beforeAll(async () => {
  receiver = await startHttpReceiver();
});
beforeEach(async () => {
  person = await signUp('Robin');
  receiver.respond(() => ({ status: 200 }));
});
afterAll(() => receiver.close());

/** An incident whose message to a channel of this type is due. */
async function makeMessage(type: 'webhook' | 'slack') {
  const config = type === 'webhook' ? { url: receiver.url } : { webhookUrl: receiver.url };
  const { channel } = await call(person, 'POST', '/dashboard/notification-channels', { type, name: 'Ops', config });
  const { incident } = await call(person, 'POST', '/api/v1/incidents', { title: 'Orders are late' });
  const delivery = await db.delivery.findFirstOrThrow({ where: { incidentId: incident.id } });
  const read = async (): Promise<IncidentDetail['messages'][number]> =>
    (await call(person, 'GET', `/api/v1/incidents/${incident.id}/detail`)).messages[0];
  return { channelId: channel.id, deliveryId: delivery.id, read, send: () => deliver(channel.id) };
}

/** Answers of the receiver that wait until they are released. */
function heldAnswers(status: number) {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  receiver.respond(async () => {
    await released;
    return { status };
  });
  return () => release();
}

describe('the messages of an incident', () => {
  it.each(['webhook', 'slack'] as const)(
    'show a message to a channel of type %s as being sent only during an attempt',
    async (type) => {
      const { deliveryId, read, send } = await makeMessage(type);
      expect(await read()).toMatchObject({ status: 'pending', isSending: false, attempts: 0 });
      const fail = heldAnswers(500);
      const first = send();
      await until(async () => (await read()).isSending, 5_000, 'The first attempt');
      fail();
      await first;
      await until(async () => (await read()).attempts === 1, 5_000, 'The record of the attempt');
      expect(await read()).toMatchObject({ status: 'pending', isSending: false, nextAttemptAt: expect.any(String) });

      await db.delivery.update({ where: { id: deliveryId }, data: { nextAttemptAt: new Date() } });
      await db.$executeRaw`update channels set recent_sends = '{}' where team_id = ${person.teamId}`;
      const accept = heldAnswers(200);
      const second = send();
      await until(async () => (await read()).isSending, 5_000, 'The second attempt');
      accept();
      await second;
      await until(async () => (await read()).status === 'delivered', 5_000, 'The delivery');
      expect(await read()).toMatchObject({ isSending: false, nextAttemptAt: null });
    },
  );

  it('show whether the channel fails, and until when its receiver asked for no messages', async () => {
    const { channelId, read } = await makeMessage('webhook');
    expect(await read()).toMatchObject({ channelState: 'untested', channelPausedUntil: null });
    const until = new Date(Date.now() + 60_000);
    await db.channel.update({
      where: { id: channelId },
      data: { failedAt: new Date(), failingSince: new Date(), retryAfter: until },
    });
    expect(await read()).toMatchObject({ channelState: 'failing', channelPausedUntil: until.toISOString() });
    await db.channel.update({ where: { id: channelId }, data: { retryAfter: new Date(Date.now() - 1_000) } });
    expect(await read()).toMatchObject({ channelPausedUntil: null });
  });

  it('returns the latest 200 messages, with the number of older ones and the time of the first alert', async () => {
    const { deliveryId, send } = await makeMessage('webhook');
    await send();
    const row = await db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
    const { at } = await db.deliveryAttempt.findFirstOrThrow({ where: { deliveryId } });
    const ids = Array.from({ length: 203 }, () => newId());
    await db.delivery.createMany({
      data: ids.map((id) => ({
        id,
        eventKey: id,
        event: 'incident.reminder',
        status: 'failed' as const,
        payload: {},
        teamId: row.teamId,
        channelId: row.channelId,
        incidentId: row.incidentId,
      })),
    });
    const detail = await call(person, 'GET', `/api/v1/incidents/${row.incidentId}/detail`);
    expect(detail.messages.map(({ id }: { id: string }) => id)).toEqual(ids.slice(3));
    expect(detail.olderMessageCount).toBe(4);
    expect(detail.firstNotifiedAt).toBe(at.toISOString());
  });
});

it('reads some of the messages of an incident that has many', async () => {
  const { deliveryId } = await makeMessage('webhook');
  const { incidentId, teamId, channelId } = await db.delivery.findUniqueOrThrow({ where: { id: deliveryId } });
  const count = 30_000;
  await db.$executeRaw`
    insert into deliveries (id, team_id, channel_id, incident_id, event, event_key, payload, status, seq)
    select ${newId()} || lpad(n::text, 6, '0'), ${teamId}, ${channelId}, ${incidentId}, 'incident.reminder', ${newId()} || n, '{}', 'failed', n
    from generate_series(1, ${count}::int) n`;
  await db.$executeRaw`analyze deliveries`;
  const rows = await readRows('deliveries', async (tx) => {
    const { messages, olderMessageCount } = await readIncidentDetail(tx, teamId, {
      id: incidentId ?? '',
      drafts: true,
    });
    expect(messages).toHaveLength(200);
    expect(olderMessageCount).toBe(9_800);
  });
  await db.delivery.deleteMany({ where: { incidentId, event: 'incident.reminder' } });
  expect(rows).toBeLessThan(15_000);
}, 60_000);

it('names all monitors of an incident', async () => {
  await call(person, 'POST', '/dashboard/notification-channels', {
    type: 'slack',
    name: 'Ops',
    config: { webhookUrl: receiver.url },
  });
  const names = ['Checkout', 'Orders', 'Search'];
  const monitorIds: string[] = [];
  for (const name of names) {
    const { monitor } = await call(person, 'POST', '/api/v1/monitors', {
      name,
      type: 'http',
      config: { url: 'https://example.com' },
    });
    monitorIds.push(monitor.id);
  }
  const { incident } = await call(person, 'POST', '/api/v1/incidents', { title: 'Orders are late', monitorIds });
  const { payload, ...delivery } = await db.delivery.findFirstOrThrow({ where: { incidentId: incident.id } });
  const { details } = toMessage(delivery.id, EventPayload.parse(payload), { id: delivery.channelId, type: 'slack' });
  expect(details.join(' ')).toMatch(
    /Affects (Checkout|Orders|Search), (Checkout|Orders|Search), and (Checkout|Orders|Search)\./,
  );
  for (const name of names) expect(details.join(' ')).toContain(name);
});
