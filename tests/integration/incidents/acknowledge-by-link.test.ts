import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { Acknowledgment } from '@/server/incidents/schema';
import { newAcknowledgeToken } from '@/server/notifications/acknowledgments/acknowledge-link';
import { newConfirmationToken } from '@/server/notifications/confirmations/confirmation-link';
import { seal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let outsider: Person;
let channelId: string;

beforeAll(async () => {
  person = await signUp('Mara');
  outsider = await signUp('Kim');
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
  return { incidentId, token: tokenOf(incidentId) };
}

const tokenOf = (incidentId: string, to = channelId, opening = 0) =>
  newAcknowledgeToken({ target: { incidentId, opening }, channelId: to });
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
      teamName: expect.any(String),
      incidents: [
        {
          title: 'Orders are late',
          monitorNames: [],
          status: 'open',
          startedAt: expect.any(String),
          acknowledgedBy: null,
          isReopened: false,
        },
      ],
    });
    expect(await db.incident.findUniqueOrThrow({ where: { id: incidentId } })).toMatchObject({ status: 'open' });
  });

  it.each([
    ['an anonymous reader by the channel', () => undefined, 'Someone through On-call room'],
    ['a member by their name', () => person, 'Mara'],
    ['a member of another team by the channel', () => outsider, 'Someone through On-call room'],
  ])('names %s', async (_who, by, name) => {
    const { incidentId, token } = await open();
    const { status, body } = await acknowledge(token, by());
    expect(status).toBe(200);
    expect(body.acknowledgment).toMatchObject({ incidents: [{ status: 'acknowledged', acknowledgedBy: name }] });
    expect(await updatesOf(incidentId)).toMatchObject([{ authorName: name }]);
    const notification = await db.delivery.findFirstOrThrow({ where: { incidentId, event: 'incident.acknowledged' } });
    expect(notification.payload).toMatchObject({ data: { actor: name } });
  });

  it('names the owner of a contact method', async () => {
    const { incidentId } = await open();
    const data = { id: newId(), teamId: person.teamId, ownerId: person.userId };
    await db.channel.create({ data: { ...data, type: 'email', name: 'My mail', config: { to: person.email } } });
    const { body } = await acknowledge(tokenOf(incidentId, data.id));
    expect(body.acknowledgment).toMatchObject({ incidents: [{ acknowledgedBy: 'Mara' }] });
  });

  it('acknowledges once when it is used many times at once', async () => {
    const { incidentId, token } = await open();
    const answers = await Promise.all(Array.from({ length: 5 }, () => acknowledge(token)));
    expect(answers.map(({ body }) => body.acknowledgment.incidents[0].status)).toEqual(Array(5).fill('acknowledged'));
    expect(await updatesOf(incidentId)).toHaveLength(1);
  });

  it('leaves a resolved incident as it is', async () => {
    const { incidentId, token } = await open();
    await rest('POST', `/api/v1/incidents/${incidentId}/resolve`, { token: person.token });
    const { status, body } = await acknowledge(token);
    expect(status).toBe(200);
    expect(body.acknowledgment).toMatchObject({ incidents: [{ status: 'resolved', acknowledgedBy: null }] });
    expect(await updatesOf(incidentId)).toEqual([]);
  });

  it('leaves an incident open that was reopened after its message', async () => {
    const { incidentId, token } = await open();
    await rest('POST', `/api/v1/incidents/${incidentId}/resolve`, { token: person.token });
    await rest('POST', `/api/v1/incidents/${incidentId}/reopen`, { token: person.token });
    const { body } = await acknowledge(token);
    expect(body.acknowledgment).toMatchObject({ incidents: [{ status: 'open', isReopened: true }] });
    expect(await updatesOf(incidentId)).toEqual([]);
    const { body: latest } = await acknowledge(tokenOf(incidentId, channelId, 1));
    expect(latest.acknowledgment).toMatchObject({ incidents: [{ status: 'acknowledged', isReopened: false }] });
  });

  it('lists the incidents of a message about many, and acknowledges the open ones of that message', async () => {
    const made = await Promise.all(Array.from({ length: 120 }, open));
    const ids = made.map(({ incidentId }) => incidentId);
    const [resolved = '', reopened = '', apart = '', ...others] = ids;
    const incidentIds = [resolved, reopened, ...others];
    const act = (id: string, action: string) =>
      rest('POST', `/api/v1/incidents/${id}/${action}`, { token: person.token });
    for (const id of [resolved, reopened]) await act(id, 'resolve');
    await act(reopened, 'reopen');
    const group = { id: newId(), channelId, incidentIds, openings: incidentIds.map(() => 0) };
    await db.acknowledgeGroup.create({ data: group });
    const token = newAcknowledgeToken({ target: { groupId: group.id }, channelId });
    const counted = ({ body }: { body: { acknowledgment: Acknowledgment } }) => {
      const keys = body.acknowledgment.incidents.map(({ status, isReopened }) => status + (isReopened ? ' again' : ''));
      return Object.fromEntries([...new Set(keys)].map((key) => [key, keys.filter((each) => each === key).length]));
    };
    expect(counted(await look(token))).toEqual({ open: 117, 'open again': 1, resolved: 1 });
    const answers = await Promise.all([acknowledge(token), acknowledge(token)]);
    for (const each of answers) {
      expect(counted(each)).toEqual({ acknowledged: 117, 'open again': 1, resolved: 1 });
    }
    expect(await db.incidentUpdate.count({ where: { incidentId: { in: ids }, kind: 'acknowledged' } })).toBe(117);
    expect(await db.incident.findUniqueOrThrow({ where: { id: apart } })).toMatchObject({ status: 'open' });
    const elsewhere = newAcknowledgeToken({ target: { groupId: group.id }, channelId: await newChannel() });
    expect((await acknowledge(elsewhere)).status).toBe(404);
    expect((await acknowledge(newAcknowledgeToken({ target: { groupId: newId() }, channelId }))).status).toBe(404);
  }, 60_000);

  it('acknowledges by a link of a former version', async () => {
    const { incidentId } = await open();
    const token = seal(['acknowledge', incidentId, channelId, Date.now() + 1_000_000].join(':'));
    expect((await acknowledge(token)).body.acknowledgment).toMatchObject({ incidents: [{ status: 'acknowledged' }] });
  });

  it('is invalid after a week, without its channel, for another team, and if it was altered', async () => {
    const { incidentId, token } = await open();
    vi.useFakeTimers({ now: Date.now() - 8 * 86_400_000, toFake: ['Date'] });
    const old = tokenOf(incidentId);
    vi.useRealTimers();
    const deleted = await newChannel();
    const orphan = tokenOf(incidentId, deleted);
    await rest('DELETE', `/dashboard/notification-channels/${deleted}`, { token: person.token });
    const theirs = await rest('POST', '/dashboard/notification-channels', {
      token: outsider.token,
      body: { type: 'email', name: 'Theirs', config: { to: 'kim@example.test' } },
    });
    const foreign = tokenOf(incidentId, theirs.body.channel.id);
    const other = newConfirmationToken({ teamId: person.teamId, address: 'a@example.test' });
    for (const wrong of [old, orphan, foreign, other, `${token.slice(0, -2)}AA`, 'nothing']) {
      expect((await look(wrong)).body.error).toMatchObject({ code: 'NOT_FOUND' });
      expect((await acknowledge(wrong)).status).toBe(404);
    }
    expect(await updatesOf(incidentId)).toEqual([]);
  });
});
