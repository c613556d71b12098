import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { notifyPaused } from '@/server/monitors/pause';
import { db } from '@/server/platform/db';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { as, httpMonitor, join, makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

let target: HttpReceiver;
let person: Person;
let outsider: Person;

beforeAll(async () => {
  target = await startHttpReceiver();
  person = await signUp('Robin');
  outsider = await signUp();
  await rest('POST', '/dashboard/notification-channels', {
    token: person.token,
    body: { type: 'webhook', name: 'Hook', config: { url: `${target.url}/hook` } },
  });
});

beforeEach(() => target.respond(() => ({ status: 503 })));
afterAll(() => target.close());

/** A monitor that an extra check has made down, and its incident. */
async function makeIncident(changes: Record<string, unknown> = {}): Promise<{ monitorId: string; id: string }> {
  const call = as(person.token);
  const { body } = await call(
    'POST',
    '/api/v1/monitors',
    httpMonitor({ config: { url: target.url, confirm: { failures: 1, recoveries: 1 } }, ...changes }),
  );
  const monitorId: string = body.monitor.id;
  await call('POST', `/dashboard/monitors/${monitorId}/check`);
  const incident = await db.incident.findFirstOrThrow({ where: { monitorId } });
  return { monitorId, id: incident.id };
}

const events = async (incidentId: string) =>
  (await db.delivery.findMany({ where: { incidentId }, orderBy: { id: 'asc' } })).map(({ event }) => event);

it('is listed for the time in which it was not resolved', async () => {
  const { id, monitorId } = await makeIncident();
  const at = (hour: number) => `2026-11-17T${String(hour).padStart(2, '0')}:00:00.000Z`;
  await db.incident.update({
    where: { id },
    data: { startedAt: at(3), resolvedAt: at(5), status: 'resolved', openKey: null },
  });
  const listed = async (query: string) => {
    const { status, body } = await as(person.token)('GET', `/api/v1/incidents?monitorId=${monitorId}&${query}`);
    return status === 200 ? body.incidents.length : status;
  };
  expect(await listed(`from=${at(4)}&to=${at(6)}`)).toBe(1);
  expect(await listed(`from=${at(1)}&to=${at(4)}`)).toBe(1);
  expect(await listed(`from=${at(5)}`)).toBe(0);
  expect(await listed(`to=${at(3)}`)).toBe(0);
  expect(await listed(`from=${at(4)}&limit=1&cursor=${at(2)}_${id}`)).toBe(0);
  expect(await listed('from=yesterday')).toBe(400);
});

describe('incident', () => {
  it('records what was observed, and notifies once', async () => {
    const { id, monitorId } = await makeIncident();
    const { body } = await as(person.token)('GET', `/api/v1/incidents/${id}`);
    expect(body.incident).toEqual({
      id,
      monitorId,
      monitorIds: [monitorId],
      components: [],
      teamId: person.teamId,
      type: 'downtime',
      status: 'open',
      severity: 'critical',
      title: 'Shop is down',
      cause: 'Expected status 200-299, got 503',
      startedAt: expect.any(String),
      resolvedAt: null,
      assigneeId: null,
      parentIncidentId: null,
      createdAt: expect.any(String),
    });
    expect(await events(id)).toEqual(['incident.opened']);
  });

  it('is acknowledged once for concurrent requests', async () => {
    const { id } = await makeIncident();
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => as(person.token)('POST', `/api/v1/incidents/${id}/acknowledge`)),
    );
    expect(answers.map(({ status, body }) => [status, body.incident.status])).toEqual(
      Array.from({ length: 5 }, () => [200, 'acknowledged']),
    );
    expect(await events(id)).toEqual(['incident.opened', 'incident.acknowledged']);
  });

  it('is resolved by a successful check', async () => {
    const { id, monitorId } = await makeIncident();
    target.respond(() => ({ status: 200 }));
    await as(person.token)('POST', `/dashboard/monitors/${monitorId}/check`);
    const { body } = await as(person.token)('GET', `/api/v1/incidents/${id}`);
    expect(body.incident).toMatchObject({ status: 'resolved', resolvedAt: expect.any(String) });
    expect(await events(id)).toEqual(['incident.opened', 'incident.resolved']);
  });

  it('is opened again by the next failing check after a manual resolution', async () => {
    const { id, monitorId } = await makeIncident();
    const { status } = await as(person.token)('POST', `/api/v1/incidents/${id}/resolve`);
    expect(status).toBe(200);
    await as(person.token)('POST', `/dashboard/monitors/${monitorId}/check`);
    const incidents = await db.incident.findMany({ where: { monitorId }, orderBy: { id: 'asc' } });
    expect(incidents.map((incident) => incident.status)).toEqual(['resolved', 'open']);
  });

  it('is resolved by one of two concurrent requests', async () => {
    const { id } = await makeIncident();
    const resolve = () => as(person.token)('POST', `/api/v1/incidents/${id}/resolve`);
    const answers = await Promise.all([resolve(), resolve()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    expect(await events(id)).toEqual(['incident.opened', 'incident.resolved']);
  });

  it('changes its text until it is resolved', async () => {
    const { id } = await makeIncident();
    const put = (body: unknown) => as(person.token)('PUT', `/api/v1/incidents/${id}`, body);
    expect((await put({ title: 'Disk full', cause: 'The disk is full.' })).body.incident).toMatchObject({
      title: 'Disk full',
      cause: 'The disk is full.',
    });
    for (const wrong of [{}, { title: 7 }, { title: '' }, { cause: null }]) {
      expect(await put(wrong)).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    }
    await as(person.token)('POST', `/api/v1/incidents/${id}/resolve`);
    expect(await put({ title: 'Too late' })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR' } },
    });
  });

  it('returns NOT_FOUND to another team', async () => {
    const { id } = await makeIncident();
    const call = as(outsider.token);
    const answers = [
      await call('GET', `/api/v1/incidents/${id}`),
      await call('PUT', `/api/v1/incidents/${id}`, { title: 'Mine' }),
      await call('POST', `/api/v1/incidents/${id}/acknowledge`),
      await call('POST', `/api/v1/incidents/${id}/resolve`),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    expect((await call('GET', '/api/v1/incidents')).body.incidents).toEqual([]);
  });

  it.each([
    ['pausing', 'PUT', { isActive: false }],
    ['deleting', 'DELETE', undefined],
  ])('is resolved when somebody %s its monitor', async (_name, method, body) => {
    const { id, monitorId } = await makeIncident();
    await as(person.token)(method, `/api/v1/monitors/${monitorId}`, body);
    await runJob(notifyPaused, { monitorId });
    expect(await db.incident.findUniqueOrThrow({ where: { id } })).toMatchObject({ status: 'resolved', openKey: null });
    expect(await events(id)).toEqual(['incident.opened', 'incident.resolved']);
  });

  it('writes an audit entry for each action', async () => {
    const { id } = await makeIncident();
    await as(person.token)('POST', `/api/v1/incidents/${id}/acknowledge`);
    await as(person.token)('PUT', `/api/v1/incidents/${id}`, { title: 'The till is down' });
    await as(person.token)('POST', `/api/v1/incidents/${id}/resolve`);
    const who = { actorId: person.userId, credential: 'access token', teamId: person.teamId };
    const entries = await db.auditEntry.findMany({ where: { targetId: id }, orderBy: { id: 'asc' } });
    expect(entries.map(({ action, before, after }) => ({ action, before, after }))).toEqual([
      { action: 'incident.acknowledge', before: { status: 'open' }, after: { status: 'acknowledged' } },
      { action: 'incident.update', before: { title: 'Shop is down' }, after: { title: 'The till is down' } },
      { action: 'incident.resolve', before: { status: 'acknowledged' }, after: { status: 'resolved' } },
    ]);
    for (const entry of entries) expect(entry).toMatchObject(who);
  });
});

describe('severity', () => {
  it("is the monitor's at the time of its downtime", async () => {
    const call = as(person.token);
    const { id, monitorId } = await makeIncident({ severity: 'minor' });
    expect((await call('GET', `/api/v1/incidents/${id}`)).body.incident.severity).toBe('minor');
    expect((await call('PUT', `/api/v1/monitors/${monitorId}`, { severity: 'warning' })).body.monitor.severity).toBe(
      'warning',
    );
    await call('POST', `/api/v1/incidents/${id}/resolve`);
    await call('POST', `/dashboard/monitors/${monitorId}/check`);
    const rows = await db.incident.findMany({ where: { monitorId }, orderBy: { id: 'asc' } });
    expect(rows.map(({ severity }) => severity)).toEqual(['minor', 'warning']);
    const [sent] = await db.delivery.findMany({ where: { incidentId: rows[1]?.id ?? '' } });
    expect(sent?.payload).toMatchObject({ data: { incident: { severity: 'warning' } } });
    expect((await call('PUT', `/api/v1/monitors/${monitorId}`, { severity: 'grave' })).body.error.issues[0].path).toBe(
      'severity',
    );
  });
});

describe('editing an incident', () => {
  const edit = (id: string, body: unknown, token = person.token) => as(token)('PATCH', `/api/v1/incidents/${id}`, body);

  it('keeps the title and the cause of a resolved incident, and still sorts it', async () => {
    const { id } = await makeIncident();
    await as(person.token)('POST', `/api/v1/incidents/${id}/resolve`);
    for (const change of [{ title: 'Disk full' }, { cause: null }, { severity: 'minor', title: 'Disk full' }]) {
      const refused = await edit(id, change);
      expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
    expect((await edit(id, { severity: 'warning' })).body.incident).toMatchObject({ severity: 'warning' });
  });

  it('changes its fields, with a line for each and no message', async () => {
    const { id } = await makeIncident();
    const { status, body } = await edit(id, { severity: 'warning', title: 'Disk full', cause: null });
    expect(status).toBe(200);
    expect(body.incident).toMatchObject({ severity: 'warning', title: 'Disk full', cause: null, status: 'open' });
    const lines = await db.incidentUpdate.findMany({
      where: { incidentId: id, kind: 'changed' },
      orderBy: { id: 'asc' },
    });
    expect(lines.map(({ message }) => message)).toEqual([
      'Robin changed the title to “Disk full”.',
      'Robin removed the cause.',
      'Robin changed the severity from critical to warning.',
    ]);
    expect(await events(id)).toEqual(['incident.opened']);
    const audited = await db.auditEntry.findFirst({ where: { targetId: id, action: 'incident.update' } });
    expect(audited).toMatchObject({ before: { severity: 'critical' }, after: { severity: 'warning' } });
  });

  it('writes nothing where nothing changes', async () => {
    const { id } = await makeIncident();
    expect((await edit(id, { severity: 'critical' })).status).toBe(200);
    expect(await db.incidentUpdate.count({ where: { incidentId: id, kind: 'changed' } })).toBe(0);
    expect(await db.auditEntry.count({ where: { targetId: id, action: 'incident.update' } })).toBe(0);
  });

  it.each([
    {},
    { severity: 'grave' },
    { severity: null },
    { title: '' },
    { status: 'open' },
    { cause: 'x'.repeat(4001) },
  ])('rejects %j', async (wrong) => {
    const { id } = await makeIncident();
    expect((await edit(id, wrong)).body.error.code).toBe('VALIDATION_ERROR');
  });

  it('is refused to other teams, viewers and read-only keys', async () => {
    const { id } = await makeIncident();
    const viewer = await join(person, 'viewer');
    expect((await edit(id, { severity: 'minor' }, outsider.token)).status).toBe(404);
    expect((await edit(id, { severity: 'minor' }, viewer.token)).body.error.code).toBe('FORBIDDEN');
    expect((await edit(id, { severity: 'minor' }, await makeKey(person, ['read']))).body.error.code).toBe(
      'INSUFFICIENT_SCOPE',
    );
  });

  it('serialises concurrent changes, so that each line says what it replaced', async () => {
    const { id } = await makeIncident();
    await Promise.all(['warning', 'minor', 'critical', 'warning'].map((severity) => edit(id, { severity })));
    const entries = await db.auditEntry.findMany({
      where: { targetId: id, action: 'incident.update' },
      orderBy: { id: 'asc' },
    });
    const severityOf = (side: unknown) => (side as { severity: string }).severity;
    const after = ['critical', ...entries.map((entry) => severityOf(entry.after))];
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.map(({ before }) => severityOf(before))).toEqual(after.slice(0, -1));
  });
});

describe('list of incidents', () => {
  it('returns each incident once across pages, latest first', async () => {
    for (let index = 0; index < 3; index += 1) await makeIncident();
    const seen: string[] = [];
    let cursor = '';
    do {
      const { body } = await as(person.token)('GET', `/api/v1/incidents?limit=2${cursor}`);
      seen.push(...body.incidents.map(({ startedAt }: { startedAt: string }) => startedAt));
      cursor = body.nextCursor === null ? '' : `&cursor=${encodeURIComponent(body.nextCursor)}`;
    } while (cursor !== '');
    expect(seen).toHaveLength(await db.incident.count({ where: { teamId: person.teamId } }));
    expect(seen).toEqual([...seen].sort().reverse());
    expect((await as(person.token)('GET', '/api/v1/incidents?cursor=nonsense')).status).toBe(400);
  });
});
