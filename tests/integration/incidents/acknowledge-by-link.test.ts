import { beforeAll, describe, expect, it, vi } from 'vitest';
import { newAcknowledgeToken } from '@/server/notifications/acknowledge-link';
import { newConfirmationToken } from '@/server/notifications/confirmation-link';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { type Person, rest, signUp } from '@/tests/support/rest';
import '@/tests/support/rate-limits-off';

let person: Person;
let stranger: Person;
let channelId: string;

beforeAll(async () => {
  person = await signUp('Mara');
  stranger = await signUp('Kim');
  channelId = await newChannel();
});

async function newChannel(): Promise<string> {
  const body = { type: 'webhook', name: 'On-call room', config: { url: 'http://127.0.0.1:9/' } };
  return (await rest('POST', '/dashboard/notification-channels', { token: person.token, body })).body.channel.id;
}

async function open(): Promise<{ incidentId: string; token: string }> {
  const body = { title: 'Orders are late', cause: 'The queue is full.' };
  const created = await rest('POST', '/api/v1/incidents', { token: person.token, body });
  const incidentId = created.body.incident.id;
  return { incidentId, token: newAcknowledgeToken({ incidentId, channelId }) };
}

const look = (token: string) => rest('GET', `/auth/acknowledgment/${token}`);
const acknowledge = (token: string, by?: Person) =>
  rest('POST', `/auth/acknowledgment/${token}`, by ? { token: by.token } : {});
const updatesOf = (incidentId: string) => db.incidentUpdate.findMany({ where: { incidentId, kind: 'acknowledged' } });

describe('an acknowledge link', () => {
  it('shows what it is about and changes nothing when it is opened', async () => {
    const { incidentId, token } = await open();
    const { status, body } = await look(token);
    expect(status).toBe(200);
    expect(body.acknowledgment).toEqual({
      title: 'Orders are late',
      monitorName: null,
      teamName: expect.any(String),
      status: 'open',
      startedAt: expect.any(String),
      acknowledgedBy: null,
    });
    expect(await db.incident.findUniqueOrThrow({ where: { id: incidentId } })).toMatchObject({ status: 'open' });
  });

  it.each([
    ['an anonymous reader by the channel', () => undefined, 'Someone through On-call room'],
    ['a member by their name', () => person, 'Mara'],
    ['a member of another team by the channel', () => stranger, 'Someone through On-call room'],
  ])('names %s', async (_who, by, name) => {
    const { incidentId, token } = await open();
    const { status, body } = await acknowledge(token, by());
    expect(status).toBe(200);
    expect(body.acknowledgment).toMatchObject({ status: 'acknowledged', acknowledgedBy: name });
    expect(await updatesOf(incidentId)).toMatchObject([{ authorName: name }]);
    const told = await db.delivery.findFirstOrThrow({ where: { incidentId, event: 'incident.acknowledged' } });
    expect(told.payload).toMatchObject({ data: { actor: name } });
  });

  it('names the owner of a contact method', async () => {
    const { incidentId } = await open();
    const data = { id: newId(), teamId: person.teamId, ownerId: person.userId };
    await db.channel.create({ data: { ...data, type: 'email', name: 'My mail', config: { to: person.email } } });
    const { body } = await acknowledge(newAcknowledgeToken({ incidentId, channelId: data.id }));
    expect(body.acknowledgment).toMatchObject({ acknowledgedBy: 'Mara' });
  });

  it('acknowledges once when it is used many times at once', async () => {
    const { incidentId, token } = await open();
    const answers = await Promise.all(Array.from({ length: 5 }, () => acknowledge(token)));
    expect(answers.map(({ body }) => body.acknowledgment.status)).toEqual(Array(5).fill('acknowledged'));
    expect(await updatesOf(incidentId)).toHaveLength(1);
  });

  it('leaves a resolved incident as it is', async () => {
    const { incidentId, token } = await open();
    await rest('POST', `/api/v1/incidents/${incidentId}/resolve`, { token: person.token });
    const { status, body } = await acknowledge(token);
    expect(status).toBe(200);
    expect(body.acknowledgment).toMatchObject({ status: 'resolved', acknowledgedBy: null });
    expect(await updatesOf(incidentId)).toEqual([]);
  });

  it('is invalid after a week, without its channel, for another team, and if it was altered', async () => {
    const { incidentId, token } = await open();
    vi.useFakeTimers({ now: Date.now() - 8 * 86_400_000, toFake: ['Date'] });
    const old = newAcknowledgeToken({ incidentId, channelId });
    vi.useRealTimers();
    const deleted = await newChannel();
    const orphan = newAcknowledgeToken({ incidentId, channelId: deleted });
    await rest('DELETE', `/dashboard/notification-channels/${deleted}`, { token: person.token });
    const theirs = await rest('POST', '/dashboard/notification-channels', {
      token: stranger.token,
      body: { type: 'email', name: 'Theirs', config: { to: 'kim@example.test' } },
    });
    const foreign = newAcknowledgeToken({ incidentId, channelId: theirs.body.channel.id });
    const other = newConfirmationToken({ teamId: person.teamId, address: 'a@example.test' });
    for (const wrong of [old, orphan, foreign, other, `${token.slice(0, -2)}AA`, 'nothing']) {
      expect((await look(wrong)).body.error).toMatchObject({ code: 'NOT_FOUND' });
      expect((await acknowledge(wrong)).status).toBe(404);
    }
    expect(await updatesOf(incidentId)).toEqual([]);
  });
});
