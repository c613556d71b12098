import { beforeAll, describe, expect, it } from 'vitest';
import { deleteTeams } from '@/server/admin/delete-rows';
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

describe('responses stored for idempotency keys', () => {
  const today = () => new Date(new Date().setUTCHours(0, 0, 0, 0));
  const storedBy = async (teamId: string) => {
    const row = await db.idempotencyQuota.findUnique({ where: { key_day: { key: `team:${teamId}`, day: today() } } });
    return { responses: row?.responses ?? 0, bytes: Number(row?.bytes ?? 0) };
  };
  const setStored = (teamId: string, data: { responses?: number; bytes?: number }) =>
    db.idempotencyQuota.update({ where: { key_day: { key: `team:${teamId}`, day: today() } }, data });

  it('counts stored responses for their team, those of concurrent requests too', async () => {
    const other = await signUp();
    const token = await makeKey(other);
    await Promise.all(Array.from({ length: 12 }, (_, index) => create(`counted-${index}`, httpMonitor(), token)));
    await create('counted-0', httpMonitor(), token);
    const rows = await db.idempotentRequest.findMany({ where: { teamId: other.teamId } });
    expect(rows).toHaveLength(12);
    const bytes = rows.reduce((sum, { body }) => sum + (body?.length ?? 0), 0);
    expect(await storedBy(other.teamId)).toEqual({ responses: 12, bytes });
  });

  it.each([{ responses: 50_000 }, { bytes: 64 * 1024 * 1024 }])(
    'limits stored responses to %j per team and day',
    async (full) => {
      const other = await signUp();
      const token = await makeKey(other);
      const first = await create('first', httpMonitor(), token);
      await setStored(other.teamId, full);
      const refused = await create('second', httpMonitor(), token);
      expect(refused).toMatchObject({ status: 429, body: { error: { code: 'RATE_LIMITED' } } });
      expect(refused.body.error.message).toContain('Idempotency-Key');
      expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(await db.monitor.count({ where: { teamId: other.teamId } })).toBe(1);
      expect(await db.idempotentRequest.count({ where: { teamId: other.teamId } })).toBe(1);
      // The stored response is still returned. A request without a key, or of another team, is executed.
      expect(await create('first', httpMonitor(), token)).toMatchObject({ status: 201, body: first.body });
      expect((await rest('POST', '/api/v1/monitors', { token, body: httpMonitor() })).status).toBe(201);
      expect((await create(`after-${Object.keys(full)}`)).status).toBe(201);
      // On another day.
      await db.$executeRaw`update idempotency_quotas set day = day - 1 where key = ${`team:${other.teamId}`}`;
      expect((await create('second', httpMonitor(), token)).status).toBe(201);
    },
  );

  it('deletes stored responses and their counts with the team', async () => {
    const other = await signUp();
    await create('gone', httpMonitor(), await makeKey(other));
    expect((await storedBy(other.teamId)).responses).toBe(1);
    await db.$transaction((tx) => deleteTeams(tx, [other.teamId]));
    expect((await storedBy(other.teamId)).responses).toBe(0);
  });
});
