import { beforeAll, describe, expect, it } from 'vitest';
import { CreateMonitorInput, UpdateMonitorInput } from '@/server/monitor-types/schema';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { expectError } from './expect-error';

let person: Person;
let key: string;

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});

async function createOne(): Promise<string> {
  const { body } = await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor() });
  return body.monitor.id;
}

describe('strict JSON in the REST bridge', () => {
  it.each([
    ['"false" for a boolean', { isActive: 'false' }],
    ['1 for a boolean', { isActive: 1 }],
    ['"60" for an integer', { intervalSeconds: '60' }],
    ['null for an integer', { intervalSeconds: null }],
    ['true for an integer', { intervalSeconds: true }],
    ['an empty update', {}],
    ['a config with an unknown field', { config: { url: 'http://127.0.0.1:9/', colour: 'red' } }],
    ['a list for an object', { config: [] }],
  ])('rejects %s', async (_name, body) => {
    const id = await createOne();
    const before = await rest('GET', `/api/v1/monitors/${id}`, { token: key });
    expectError(await rest('PUT', `/dashboard/monitors/${id}`, { token: person.token, body }), 400, 'VALIDATION_ERROR');
    expect((await rest('GET', `/api/v1/monitors/${id}`, { token: key })).body).toEqual(before.body);
  });

  it('leaves the schemas unchanged after any number of calls', async () => {
    const id = await createOne();
    await rest('PUT', `/dashboard/monitors/${id}`, { token: person.token, body: { isActive: 'false' } });
    await rest('GET', '/api/v1/monitors?limit=1', { token: key });
    expect(UpdateMonitorInput.safeParse({ id, isActive: 'false' }).success).toBe(false);
    expect(UpdateMonitorInput.safeParse({ id, intervalSeconds: null }).success).toBe(false);
    expect(CreateMonitorInput.safeParse(httpMonitor({ intervalSeconds: '60' })).success).toBe(false);
  });

  it('parses query strings by the type of their field', async () => {
    const { status, body } = await rest('GET', '/api/v1/monitors?limit=1', { token: key });
    expect(status).toBe(200);
    expect(body.monitors).toHaveLength(1);
    for (const query of ['limit=0', 'limit=101', 'limit=abc', 'limit=1.5', 'limit=', 'limit=1&limit=2']) {
      expectError(await rest('GET', `/api/v1/monitors?${query}`, { token: key }), 400, 'VALIDATION_ERROR');
    }
  });
});

describe('REST addresses', () => {
  it.each(['/api/v1/nothing', '/api/v1', '/api/v1/Monitors', '/dashboard/nothing', '/admin/x', '/auth/x', '/api/x'])(
    'answers %s with 404 and the error envelope',
    async (path) => {
      expectError(await rest('GET', path, { token: key }), 404, 'NOT_FOUND');
    },
  );

  it('answers an unsupported method with 405 and Allow', async () => {
    const answer = await rest('PATCH', '/api/v1/monitors', { token: key, body: {} });
    expectError(answer, 405, 'METHOD_NOT_ALLOWED');
    expect(answer.headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });

  it('answers HEAD like GET, without a body', async () => {
    const { status, body } = await rest('HEAD', '/api/v1/monitors', { token: key });
    expect({ status, body }).toEqual({ status: 200, body: null });
  });

  it('answers OPTIONS with the methods', async () => {
    const { status, headers } = await rest('OPTIONS', '/api/v1/monitors');
    expect(status).toBe(204);
    expect(headers.get('allow')).toBe('GET, HEAD, OPTIONS, POST');
  });

  it('rejects a path with invalid percent-encoding', async () => {
    expectError(await rest('GET', '/api/v1/monitors/%ff', { token: key }), 400, 'VALIDATION_ERROR');
  });
});

describe('REST credentials', () => {
  it('answers 401 without a credential, with a wrong one and with one of another kind', async () => {
    expectError(await rest('GET', '/api/v1/monitors'), 401, 'UNAUTHENTICATED');
    expectError(await rest('GET', '/api/v1/monitors', { token: 'uw_wrong' }), 401, 'UNAUTHENTICATED');
    expectError(await rest('GET', '/api/v1/monitors', { token: 'wrong' }), 401, 'UNAUTHENTICATED');
    expectError(await rest('GET', '/dashboard/monitors', { token: key }), 401, 'UNAUTHENTICATED');
  });

  it('accepts an access token on both auth surfaces', async () => {
    expect((await rest('GET', '/api/v1/monitors', { token: person.token })).status).toBe(200);
    expect((await rest('GET', '/dashboard/monitors', { token: person.token })).status).toBe(200);
  });

  it('answers 403 to a key without the scope', async () => {
    const reader = await makeKey(person, ['read']);
    expect((await rest('GET', '/api/v1/monitors', { token: reader })).status).toBe(200);
    expectError(
      await rest('POST', '/api/v1/monitors', { token: reader, body: httpMonitor() }),
      403,
      'INSUFFICIENT_SCOPE',
    );
  });

  it('answers 403 to a weaker role', async () => {
    const viewer = await signUp();
    await db.membership.updateMany({ where: { userId: viewer.userId }, data: { role: 'viewer' } });
    const call = { token: viewer.token, body: httpMonitor() };
    expectError(await rest('POST', '/api/v1/monitors', call), 403, 'FORBIDDEN');
    expect((await rest('GET', '/api/v1/monitors', { token: viewer.token })).status).toBe(200);
  });
});

describe('request ID', () => {
  const idOf = async (given: string) =>
    (await rest('GET', '/api/v1/nothing', { headers: { 'x-request-id': given } })).headers.get('x-request-id');

  it('is the one that the web process assigned, whatever the client sent', async () => {
    const id = newId();
    expect(await idOf(id)).toBe(id);
    for (const given of ['chosen', 'x'.repeat(10_000), id.toLowerCase(), `${id} ${id}`, 'ZZZZZZZZZZZZZZZZZZZZZZZZZZ']) {
      expect(await idOf(given)).toMatch(/^[0-7][0-9A-HJKMNP-TV-Z]{25}$/);
      expect(await idOf(given)).not.toBe(given);
    }
  });

  it('is the same in the audit log and the response', async () => {
    const { headers, body } = await rest('POST', '/api/v1/monitors', { token: key, body: httpMonitor() });
    const entry = await db.auditEntry.findFirstOrThrow({ where: { targetId: body.monitor.id } });
    expect(entry.requestId).toBe(headers.get('x-request-id'));
  });
});

describe('internal details', () => {
  it('shows no internal details after a crash', async () => {
    const id = await createOne();
    // A stored secret that was not encrypted with this APP_SECRET makes masking fail.
    await db.monitor.update({ where: { id }, data: { config: { headers: { authorization: 'not sealed' } } } });
    await db.monitor.update({ where: { id }, data: { config: { headers: { authorization: null } } } });
    const answer = await rest('GET', `/api/v1/monitors/${id}`, { token: key });
    expectError(answer, 500, 'INTERNAL');
    expect(JSON.stringify(answer.body)).not.toMatch(/TypeError|prisma|undefined|null/i);
    await db.monitor.delete({ where: { id } });
  });

  it('sends private responses with no-store', async () => {
    expect((await rest('GET', '/api/v1/monitors', { token: key })).headers.get('cache-control')).toBe('no-store');
  });
});
