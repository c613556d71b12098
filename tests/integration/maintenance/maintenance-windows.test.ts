import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

const windows = '/api/v1/maintenance-windows';
const plan = { title: 'New router', startsAt: '2027-01-02T03:00:00Z', endsAt: '2027-01-02T05:00:00Z' };

let person: Person;
let outsider: Person;
let key: string;
let readKey: string;
let monitorIds: string[];

beforeAll(async () => {
  person = await signUp();
  outsider = await signUp();
  key = await makeKey(person);
  readKey = await makeKey(person, ['read']);
  const made = [1, 2].map(() => rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor() }));
  monitorIds = (await Promise.all(made)).map(({ body }) => body.monitor.id).sort();
});

const create = (changes: Record<string, unknown> = {}, token = key) =>
  rest('POST', windows, { token, body: { ...plan, ...changes } });

const put = (id: string, body: unknown, token = key) => rest('PUT', `${windows}/${id}`, { token, body });

async function createOne(changes: Record<string, unknown> = {}): Promise<string> {
  return (await create(changes)).body.maintenanceWindow.id;
}

describe('POST maintenance window', () => {
  it('returns the window, its times in UTC', async () => {
    const { status, body } = await create({
      startsAt: '2027-01-02T04:00:00+01:00',
      monitorIds,
      description: ' Rack 7 ',
    });
    expect(status).toBe(201);
    expect(body.maintenanceWindow).toEqual({
      id: expect.any(String),
      teamId: person.teamId,
      title: 'New router',
      description: 'Rack 7',
      startsAt: '2027-01-02T03:00:00.000Z',
      endsAt: '2027-01-02T05:00:00.000Z',
      recurrence: null,
      timezone: 'UTC',
      monitorIds,
      tags: [],
      checks: 'continue',
      isAnnounced: true,
      announceHours: null,
      notifiesChannels: false,
      externalId: null,
      next: { startsAt: '2027-01-02T03:00:00.000Z', endsAt: '2027-01-02T05:00:00.000Z' },
      skipped: [],
      createdAt: expect.stringMatching(/Z$/),
      updatedAt: expect.stringMatching(/Z$/),
    });
    const { id } = body.maintenanceWindow;
    expect((await rest('GET', `${windows}/${id}`, { token: readKey })).body).toEqual(body);
    expect(await db.auditEntry.findMany({ where: { targetId: id } })).toMatchObject([
      { action: 'maintenance_window.create', after: { monitorIds } },
    ]);
  });

  it('covers every monitor if it names none', async () => {
    expect((await create()).body.maintenanceWindow.monitorIds).toBeNull();
  });

  it.each([
    ['title', { title: '' }],
    ['startsAt', { startsAt: 'tomorrow' }],
    ['startsAt', { startsAt: '2027-01-02T03:00:00' }],
    ['startsAt', { startsAt: '2027-02-30T03:00:00Z' }],
    ['startsAt', { startsAt: 1_798_858_800 }],
    ['startsAt', { startsAt: '0000-01-01T00:00:00Z', endsAt: '0000-01-02T00:00:00Z' }],
    ['startsAt', { startsAt: '0001-01-01T00:00:00+14:00', endsAt: '0001-01-02T00:00:00Z' }],
    ['endsAt', { startsAt: '9999-12-31T00:00:00Z', endsAt: '9999-12-31T23:59:59-14:00' }],
    ['endsAt', { endsAt: undefined }],
    ['endsAt', { endsAt: plan.startsAt }],
    ['endsAt', { endsAt: '2028-01-04T03:00:00Z' }],
    ['monitorIds', { monitorIds: [] }],
    ['monitorIds.0', { monitorIds: ['nothing'] }],
    ['monitorIds', { monitorIds: 'all' }],
    ['description', { description: 7 }],
    ['recurrence', { recurrence: 'FREQ=HOURLY' }],
    ['recurrence', { recurrence: 'BYDAY=SU' }],
    ['recurrence', { recurrence: 'FREQ=DAILY;FREQ=WEEKLY' }],
    ['recurrence', { recurrence: 'FREQ=DAILY;COUNT=2;UNTIL=20270101' }],
    ['recurrence', { recurrence: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' }],
    ['endsAt', { recurrence: 'FREQ=YEARLY', endsAt: '2027-02-03T03:00:00Z' }],
    ['timezone', { timezone: 'Europe/Atlantis' }],
    ['timezone', { timezone: '+02:00' }],
    ['tags.0', { tags: [''] }],
    ['checks', { checks: 'stop' }],
    ['announceHours', { announceHours: -1 }],
  ])('names the invalid field %s', async (path, changes) => {
    const before = await db.maintenanceWindow.count();
    const { status, body } = await create(changes);
    expect(status).toBe(400);
    expect(body.error.issues.map((issue: { path: string }) => issue.path)).toContain(path);
    expect(await db.maintenanceWindow.count()).toBe(before);
  });

  it("rejects another team's monitor, a read-only key and a viewer", async () => {
    expect((await create({ monitorIds }, outsider.token)).body.error.issues[0].path).toBe('monitorIds.0');
    expect((await create({}, readKey)).body.error.code).toBe('INSUFFICIENT_SCOPE');
    const viewer = await signUp();
    await db.membership.updateMany({ where: { userId: viewer.userId }, data: { role: 'viewer' } });
    expect((await create({}, viewer.token)).body.error.code).toBe('FORBIDDEN');
  });
});

describe('maintenance window', () => {
  it('is listed, newest first, in pages', async () => {
    const token = await makeKey(await signUp());
    for (const title of ['One', 'Two', 'Three']) await create({ title }, token);
    const list = async (query: string) => (await rest('GET', `${windows}?${query}`, { token })).body;
    const first = await list('limit=2');
    const second = await list(`limit=2&cursor=${first.nextCursor}`);
    const titles = [...first.maintenanceWindows, ...second.maintenanceWindows].map(({ title }) => title);
    expect(titles).toEqual(['Three', 'Two', 'One']);
    expect(second.nextCursor).toBeNull();
  });

  it('is listed by state, in pages', async () => {
    const token = await makeKey(await signUp());
    const past = { startsAt: '2026-01-05T03:00:00Z', endsAt: '2026-01-05T05:00:00Z' };
    await create({ title: 'Without end', ...past, recurrence: 'FREQ=WEEKLY' }, token);
    await create({ title: 'Not over', ...past, recurrence: 'FREQ=YEARLY;COUNT=900' }, token);
    const endsAt = new Date(Date.now() + 3_600_000).toISOString();
    await create({ title: 'Running', startsAt: new Date(Date.now() - 3_600_000).toISOString(), endsAt }, token);
    for (const recurrence of [null, 'FREQ=DAILY;COUNT=3', 'FREQ=DAILY;UNTIL=20260109']) {
      await create({ title: `Over ${recurrence}`, ...past, recurrence }, token);
    }
    await create({ title: 'Planned' }, token);
    const list = async (query: string) => (await rest('GET', `${windows}?${query}`, { token })).body;
    const titlesOf = async (state: string) => {
      const first = await list(`state=${state}&limit=2`);
      const second = await list(`state=${state}&limit=2&cursor=${first.nextCursor}`);
      expect(second.nextCursor).toBeNull();
      return [...first.maintenanceWindows, ...second.maintenanceWindows].map(({ title }) => title);
    };
    expect(await titlesOf('current')).toEqual(['Planned', 'Running', 'Not over', 'Without end']);
    expect(await titlesOf('past')).toEqual(['Over FREQ=DAILY;UNTIL=20260109', 'Over FREQ=DAILY;COUNT=3', 'Over null']);
    expect((await list('limit=100')).maintenanceWindows).toHaveLength(7);
    expect((await list('state=soon')).error.issues[0].path).toBe('state');
  });

  it('is past once every occurrence that is left is skipped', async () => {
    const token = await makeKey(await signUp());
    const { id, next } = (await create({ recurrence: 'FREQ=DAILY;COUNT=1' }, token)).body.maintenanceWindow;
    const list = async (state: string) => (await rest('GET', `${windows}?state=${state}`, { token })).body;
    expect((await list('past')).maintenanceWindows).toEqual([]);
    await rest('POST', `${windows}/${id}/skip`, { token, body: { startsAt: next.startsAt } });
    expect((await list('past')).maintenanceWindows).toMatchObject([{ id, next: null }]);
    expect((await list('current')).maintenanceWindows).toEqual([]);
  });

  it('changes the given fields, and writes an audit entry', async () => {
    const id = await createOne({ monitorIds, description: 'Rack 7' });
    const { body } = await put(id, { title: 'Newer router', monitorIds: null, description: null });
    expect(body.maintenanceWindow).toMatchObject({ title: 'Newer router', monitorIds: null, description: null });
    expect(body.maintenanceWindow.startsAt).toBe('2027-01-02T03:00:00.000Z');
    const entry = await db.auditEntry.findFirst({ where: { targetId: id, action: 'maintenance_window.update' } });
    expect(entry?.before).toEqual({ title: 'New router', description: 'Rack 7', monitorIds });
  });

  it('writes nothing for an update without a change', async () => {
    const { maintenanceWindow: window } = (await create({ monitorIds, description: 'Rack 7' })).body;
    const whole = { ...plan, startsAt: '2027-01-02T04:00:00+01:00', description: 'Rack 7', monitorIds };
    for (const body of [{ title: plan.title }, whole, { ...whole, monitorIds: monitorIds.toReversed() }]) {
      expect((await put(window.id, body)).body.maintenanceWindow).toEqual(window);
    }
    expect(await db.auditEntry.count({ where: { targetId: window.id } })).toBe(1);
  });

  it('keeps its end after its stored start', async () => {
    const id = await createOne();
    expect((await put(id, { endsAt: '2027-01-02T02:00:00Z' })).body.error.issues[0].path).toBe('endsAt');
    expect((await put(id, { startsAt: '2027-01-02T06:00:00Z' })).body.error.issues[0].path).toBe('startsAt');
    expect((await put(id, {})).status).toBe(400);
    const answers = await Promise.all([
      put(id, { endsAt: '2027-01-02T03:30:00Z' }),
      put(id, { startsAt: '2027-01-02T04:00:00Z' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });

  it('is deleted once', async () => {
    const id = await createOne({ monitorIds });
    const call = () => rest('DELETE', `${windows}/${id}`, { token: key });
    const answers = await Promise.all([call(), call()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404]);
    expect(await db.auditEntry.count({ where: { targetId: id, action: 'maintenance_window.delete' } })).toBe(1);
  });

  it('belongs to its team alone', async () => {
    const id = await createOne();
    const { token } = outsider;
    expect((await rest('GET', `${windows}/${id}`, { token })).status).toBe(404);
    expect((await put(id, { title: 'Mine' }, token)).status).toBe(404);
    expect((await rest('DELETE', `${windows}/${id}`, { token })).status).toBe(404);
    expect((await put(id, { title: 'Mine' }, readKey)).status).toBe(403);
    expect((await rest('DELETE', `${windows}/${id}`, { token: readKey })).status).toBe(403);
  });

  it('drops a monitor that is deleted', async () => {
    const { body } = await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor() });
    const id = await createOne({ monitorIds: [...monitorIds, body.monitor.id] });
    await rest('DELETE', `/api/v1/monitors/${body.monitor.id}`, { token: key });
    expect((await rest('GET', `${windows}/${id}`, { token: key })).body.maintenanceWindow.monitorIds).toEqual(
      monitorIds,
    );
  });
});
