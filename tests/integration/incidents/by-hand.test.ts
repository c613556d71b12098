import { beforeAll, describe, expect, it } from 'vitest';
import { openIncidents } from '@/server/incidents/open-incident';
import { db } from '@/server/platform/db';
import { ownState } from '@/tests/support/own-state';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

const incidents = '/api/v1/incidents';

let person: Person;
let outsider: Person;
let key: string;
let readKey: string;
let monitorId: string;

beforeAll(async () => {
  person = await signUp();
  outsider = await signUp();
  key = await makeKey(person);
  readKey = await makeKey(person, ['read']);
  monitorId = (await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor() })).body.monitor.id;
});

async function open(changes: Record<string, unknown> = {}, token = key) {
  return rest('POST', incidents, { token, body: { title: 'Orders are late', ...changes } });
}

async function openOne(changes: Record<string, unknown> = {}): Promise<string> {
  return (await open(changes)).body.incident.id;
}

describe('opening an incident by hand', () => {
  it('returns the incident, starts its timeline and notifies the channels', async () => {
    const channel = await rest('POST', '/dashboard/notification-channels', {
      token: person.token,
      body: { type: 'email', name: 'Team', config: { to: 'team@example.test' } },
    });
    const { status, body } = await open({ cause: 'The queue is full.', monitorId });
    expect(status).toBe(201);
    expect(body.incident).toMatchObject({
      teamId: person.teamId,
      monitorId,
      type: 'manual',
      status: 'open',
      title: 'Orders are late',
      cause: 'The queue is full.',
      resolvedAt: null,
    });
    const { id } = body.incident;
    expect((await rest('GET', `${incidents}/${id}/updates`, { token: readKey })).body).toEqual({
      updates: [expect.objectContaining({ kind: 'opened', message: 'The queue is full.', authorName: 'Robin' })],
      nextCursor: null,
    });
    const deliveries = await db.delivery.findMany({ where: { incidentId: id } });
    expect(deliveries).toMatchObject([{ event: 'incident.opened', channelId: channel.body.channel.id }]);
    expect(await db.auditEntry.findMany({ where: { targetId: id } })).toMatchObject([{ action: 'incident.create' }]);
    await rest('DELETE', `/dashboard/notification-channels/${channel.body.channel.id}`, { token: person.token });
  });

  it('counts it as open, any number per monitor, until somebody resolves it', async () => {
    const ids = [await openOne({ monitorId }), await openOne({ monitorId })];
    for (const id of ids) {
      const { body } = await rest('POST', `${incidents}/${id}/resolve`, { token: key });
      expect(body.incident).toMatchObject({ id, status: 'resolved', resolvedAt: expect.any(String) });
    }
  });

  it('changes no result of checks when it ends', async () => {
    await db.monitorState.update({ where: ownState(monitorId), data: { openIncident: 'downtime', status: 'down' } });
    const item = { monitorId, teamId: person.teamId, monitorName: 'Shop', cause: 'x', startedAt: new Date() };
    const severity = 'critical' as const;
    const [found] = await db.$transaction((tx) => openIncidents(tx, [{ ...item, severity, type: 'downtime' }]));
    const byHand = await openOne({ monitorId });
    const state = () => db.monitorState.findUniqueOrThrow({ where: ownState(monitorId) });
    await rest('POST', `${incidents}/${byHand}/resolve`, { token: key });
    expect((await state()).openIncident).toBe('downtime');
    await rest('POST', `${incidents}/${found?.id}/resolve`, { token: key });
    expect((await state()).openIncident).toBeNull();
  });

  it.each([
    ['title', { title: ' ' }],
    ['title', { title: undefined }],
    ['title', { title: 'x'.repeat(201) }],
    ['cause', { cause: 7 }],
    ['type', { type: 'bad luck' }],
    ['monitorId', { monitorId: 'nothing' }],
  ])('names the invalid field %s', async (path, changes) => {
    const { status, body } = await open(changes);
    expect(status).toBe(400);
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
  });

  it("rejects another team's monitor, a read-only key and a viewer", async () => {
    expect((await open({ monitorId }, outsider.token)).body.error.issues[0].path).toBe('monitorId');
    expect((await open({}, readKey)).body.error.code).toBe('INSUFFICIENT_SCOPE');
    const viewer = await signUp();
    await db.membership.updateMany({ where: { userId: viewer.userId }, data: { role: 'viewer' } });
    expect((await open({}, viewer.token)).body.error.code).toBe('FORBIDDEN');
  });
});

describe('incident updates', () => {
  const add = (id: string, message: unknown = 'We found it.', token = key) =>
    rest('POST', `${incidents}/${id}/updates`, { token, body: { message } });

  it('adds incident updates and lists them, latest first, in pages', async () => {
    const id = await openOne();
    const { status, body } = await add(id, ' We found it. ');
    expect(status).toBe(201);
    expect(body.update).toEqual({
      id: expect.any(String),
      kind: 'note',
      message: 'We found it.',
      authorName: 'Robin',
      isPublic: false,
      at: expect.stringMatching(/Z$/),
    });
    await add(id, 'It is repaired.');
    const read = async (query: string) =>
      (await rest('GET', `${incidents}/${id}/updates?${query}`, { token: key })).body;
    const first = await read('limit=2');
    const second = await read(`limit=2&cursor=${encodeURIComponent(first.nextCursor)}`);
    const messages = [...first.updates, ...second.updates].map(({ message }) => message);
    expect(messages).toEqual(['It is repaired.', 'We found it.', 'Affects no specific monitor.']);
    expect(second.nextCursor).toBeNull();
    expect((await rest('GET', `${incidents}/${id}/updates?cursor=x`, { token: key })).status).toBe(400);
    const audited = await db.auditEntry.findFirst({ where: { targetId: id, action: 'incident.note' } });
    expect(audited?.after).toMatchObject({ message: 'We found it.' });
  });

  it('publishes, hides and deletes incident updates, with their former values in the audit log', async () => {
    const id = await openOne();
    const { update } = (await add(id)).body;
    const path = `${incidents}/${id}/updates/${update.id}`;
    const shared = async () => {
      const { body } = await rest('POST', `${incidents}/${id}/share`, { token: key });
      const { incident } = (await rest('GET', `/auth/shared-incident/${body.share.token}`)).body;
      return incident.updates.map(({ message }: { message: string }) => message);
    };
    const patch = (isPublic: unknown) => rest('PATCH', path, { token: key, body: { isPublic } });
    expect(await patch(true)).toMatchObject({ status: 200, body: { update: { ...update, isPublic: true } } });
    expect((await patch(true)).status).toBe(200);
    expect(await shared()).toContain('We found it.');
    expect((await patch(false)).body.update.isPublic).toBe(false);
    expect(await shared()).not.toContain('We found it.');
    expect((await patch('yes')).body.error.issues[0].path).toBe('isPublic');
    await patch(true);
    const deleted = await Promise.all([1, 2].map(() => rest('DELETE', path, { token: key })));
    expect(deleted.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await shared()).not.toContain('We found it.');
    const entries = await db.auditEntry.findMany({
      where: { targetId: id, action: { startsWith: 'incident.note_' } },
      orderBy: { id: 'asc' },
    });
    expect(entries.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['incident.note_update', { isPublic: false }, { isPublic: true }],
      ['incident.note_update', { isPublic: true }, { isPublic: false }],
      ['incident.note_update', { isPublic: false }, { isPublic: true }],
      ['incident.note_delete', { message: 'We found it.', authorName: 'Robin', isPublic: true }, null],
    ]);
  });

  it('lets only the team correct an incident update, and only notes', async () => {
    const id = await openOne();
    const { update } = (await add(id)).body;
    const opened = await db.incidentUpdate.findFirstOrThrow({ where: { incidentId: id, kind: 'opened' } });
    const correct = async (updateId: string, token: string) => {
      const path = `${incidents}/${id}/updates/${updateId}`;
      const answers = [
        await rest('PATCH', path, { token, body: { isPublic: true } }),
        await rest('DELETE', path, { token }),
      ];
      return answers.map(({ status }) => status);
    };
    expect(await correct(update.id, outsider.token)).toEqual([404, 404]);
    expect(await correct(update.id, readKey)).toEqual([403, 403]);
    expect(await correct(opened.id, key)).toEqual([404, 404]);
    expect(await db.incidentUpdate.count({ where: { incidentId: id } })).toBe(2);
  });

  it('belong to their team alone', async () => {
    const id = await openOne();
    expect((await add(id, 'Hello', outsider.token)).status).toBe(404);
    expect((await rest('GET', `${incidents}/${id}/updates`, { token: outsider.token })).status).toBe(404);
    expect((await add(id, 'Hello', readKey)).status).toBe(403);
    expect(await db.incidentUpdate.count({ where: { incidentId: id } })).toBe(1);
  });

  it.each(['', ' ', 7, null, 'x'.repeat(4001)])('are rejected: %j', async (message) => {
    const id = await openOne();
    expect((await add(id, message)).body.error.issues[0].path).toBe('message');
  });

  it('adds updates to a resolved incident too, also while it is being resolved', async () => {
    const id = await openOne();
    const [resolved, ...added] = await Promise.all([
      rest('POST', `${incidents}/${id}/resolve`, { token: key }),
      ...Array.from({ length: 6 }, () => add(id)),
    ]);
    expect(resolved?.status).toBe(200);
    expect(added.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 201));
    expect(await db.incidentUpdate.count({ where: { incidentId: id } })).toBe(8);
    const { status, body } = await rest('POST', `${incidents}/${id}/updates`, {
      token: key,
      body: { message: 'It was a cable.', isPublic: true },
    });
    expect([status, body.update]).toEqual([201, expect.objectContaining({ kind: 'note', isPublic: true })]);
    expect(await db.incident.findUnique({ where: { id } })).toMatchObject({ status: 'resolved', openKey: null });
  });
});
