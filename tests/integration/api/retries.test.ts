import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { httpMonitor, makeKey, type Person, rest, signUp } from '@/tests/support/rest';

let person: Person;
let key: string;

beforeAll(async () => {
  person = await signUp();
  key = await makeKey(person);
});

const create = (idempotencyKey: string, body: unknown = httpMonitor(), token = key) =>
  rest('POST', '/api/v1/monitors', { token, body, headers: { 'idempotency-key': idempotencyKey } });

describe('idempotency key', () => {
  it('returns the response of the first request to a repetition', async () => {
    const before = await db.monitor.count();
    const first = await create('repeat');
    const second = await create('repeat');
    expect(first.status).toBe(201);
    expect(second).toMatchObject({ status: 201, body: first.body });
    expect([first.headers.get('idempotency-replayed'), second.headers.get('idempotency-replayed')]).toEqual([
      null,
      'true',
    ]);
    expect(await db.monitor.count()).toBe(before + 1);
  });

  it('lets one of many concurrent requests run, and gives all the same response', async () => {
    const before = await db.monitor.count();
    const answers = await Promise.all(Array.from({ length: 8 }, () => create('at-once')));
    expect(new Set(answers.map(({ body }) => body.error ?? body.monitor.id)).size).toBe(1);
    expect(await db.monitor.count()).toBe(before + 1);
  });

  it('is rejected with another body', async () => {
    await create('mismatch');
    expect(await create('mismatch', httpMonitor({ name: 'Other' }))).toMatchObject({
      status: 409,
      body: { error: { code: 'IDEMPOTENCY_MISMATCH' } },
    });
  });

  it('belongs to its credential', async () => {
    const other = await makeKey(await signUp());
    const [mine, theirs] = [await create('mine'), await create('mine', httpMonitor(), other)];
    expect(theirs.status).toBe(201);
    expect(theirs.body.monitor.id).not.toBe(mine.body.monitor.id);
  });

  it('stores an error as well, and no response in plain text', async () => {
    const wrong = await create('wrong', { type: 'http' });
    expect(await create('wrong', { type: 'http' })).toMatchObject({ status: 400, body: wrong.body });
    const call = {
      token: person.token,
      body: { name: 'secret', scopes: ['read'] },
      headers: { 'idempotency-key': 'key' },
    };
    const { body } = await rest('POST', '/dashboard/api-keys', call);
    expect((await rest('POST', '/dashboard/api-keys', call)).body).toEqual(body);
    expect(JSON.stringify(await db.idempotentRequest.findMany())).not.toContain(body.secret);
  });

  it('is freed after an error that may no longer apply', async () => {
    const reader = await makeKey(person, ['read']);
    expect((await create('not-yet', httpMonitor(), reader)).status).toBe(403);
    await db.apiKey.updateMany({ where: { teamId: person.teamId }, data: { scopes: ['read', 'write'] } });
    const again = await create('not-yet', httpMonitor(), reader);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
  });

  it('is freed if its request was cut off', async () => {
    await create('cut-off');
    await db.idempotentRequest.updateMany({ data: { status: null, body: null, lockedUntil: new Date(0) } });
    expect((await create('cut-off')).headers.get('idempotency-replayed')).toBeNull();
  });

  it('requires no credential if the operation requires none', async () => {
    const headers = { 'idempotency-key': 'refresh', authorization: 'Bearer of-yesterday' };
    const { refreshToken } = await signUp();
    const first = await rest('POST', '/auth/refresh', { body: { refreshToken }, headers });
    const second = await rest('POST', '/auth/refresh', { body: { refreshToken }, headers });
    expect(first.status).toBe(200);
    expect(second).toMatchObject({ status: 200, body: first.body });
  });

  it.each(['', 'a b', 'x'.repeat(256)])('rejects %j', async (text) => {
    expect((await create(text)).status).toBe(400);
  });
});

describe('cross-origin requests', () => {
  it('may use /api/v1 with a key', async () => {
    const answer = await rest('OPTIONS', '/api/v1/monitors', { headers: { origin: 'https://elsewhere.test' } });
    expect(answer.status).toBe(204);
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    expect(answer.headers.get('access-control-allow-methods')).toContain('POST');
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
  });

  it('may not read other addresses', async () => {
    const answer = await rest('GET', '/dashboard/monitors', {
      token: person.token,
      headers: { origin: 'https://elsewhere.test' },
    });
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
  });
});
