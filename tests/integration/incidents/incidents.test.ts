import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { type HttpReceiver, startHttpReceiver } from '@/tests/support/receivers';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';

let target: HttpReceiver;
let person: Person;
let stranger: Person;

beforeAll(async () => {
  target = await startHttpReceiver();
  person = await signUp('Robin');
  stranger = await signUp();
  await rest('POST', '/dashboard/notification-channels', {
    token: person.token,
    body: { type: 'webhook', name: 'Hook', config: { url: `${target.url}/hook` } },
  });
});

beforeEach(() => target.respond(() => ({ status: 503 })));
afterAll(() => target.close());

const as = (token: string) => (method: string, path: string, body?: unknown) =>
  rest(method, path, { token, ...(body !== undefined && { body }) });

/** A monitor that an extra check has made down, and its incident. */
async function makeIncident(): Promise<{ monitorId: string; id: string }> {
  const call = as(person.token);
  const { body } = await call(
    'POST',
    '/api/v1/monitors',
    httpMonitor({ config: { url: target.url, confirm: { failures: 1, recoveries: 1 } } }),
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
      teamId: person.teamId,
      type: 'downtime',
      status: 'open',
      title: 'Shop is down',
      cause: 'Expected status 200-299, got 503',
      startedAt: expect.any(String),
      resolvedAt: null,
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
    const call = as(stranger.token);
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
