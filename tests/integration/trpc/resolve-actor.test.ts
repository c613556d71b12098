import { SignJWT } from 'jose';
import pg from 'pg';
import { describe, expect, it, vi } from 'vitest';
import { logInToDashboard } from '@/server/account/log-in-to-dashboard';
import { createApiKey } from '@/server/api-keys/create-api-key';
import { revokeSession } from '@/server/auth/revoke-session';
import { sha256 } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { accessTokenKey } from '@/server/trpc/keys';
import { resolveActor } from '@/server/trpc/resolve-actor';
import type { Scope } from '@/server/trpc/schema';
import { rest } from '@/tests/support/rest';
import { actorOf, asPerson, codeOf, inTeam, join, newPerson, outsider, PASSWORD } from '../auth/people';

const bearer = (token: string) => ({ kind: 'bearer' as const, token });

async function newKey(scopes: Scope[] = ['read', 'write'], allowedNetworks: string[] = []) {
  const person = await newPerson();
  const { apiKey, secret } = await createApiKey({
    ctx: await inTeam(person),
    input: { name: 'script', scopes, allowedNetworks },
  });
  return { person, apiKey, secret };
}

async function newDashboardSession() {
  const person = await newPerson();
  const input = { email: person.user.email, password: PASSWORD };
  const { id: sid, userId, sessionVersion: sv } = await logInToDashboard({ ctx: outsider(), input });
  return { person, credential: { kind: 'session' as const, sid, userId, sv } };
}

it('resolves no actor without a credential', async () => {
  expect(await resolveActor({ kind: 'none' })).toEqual({ kind: 'anonymous' });
});

describe('access token', () => {
  const sign = (claims: object, key: Parameters<SignJWT['sign']>[0] = accessTokenKey(), expires = '1 min') =>
    new SignJWT({ typ: 'access', ...claims })
      .setProtectedHeader({ alg: 'HS256' })
      .setIssuer('upwatch')
      .setExpirationTime(expires)
      .sign(key);

  it('is rejected if malformed, unsigned, expired, of another key or of another type', async () => {
    const person = await newPerson();
    const { actor } = await asPerson(person);
    const claims = { sub: person.user.id, sid: actor.sessionId, sv: 1 };
    expect((await actorOf('user', bearer(await sign(claims)))).sessionId).toBe(actor.sessionId);
    const [, payload] = person.accessToken.split('.');
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    const bad = [
      'x',
      none,
      `${person.accessToken.slice(0, -3)}abc`,
      await sign(claims, accessTokenKey(), '-1 min'),
      await sign(claims, new TextEncoder().encode('another key of thirty-two bytes!')),
      await sign({ ...claims, typ: 'refresh' }),
      await sign({ ...claims, sv: 2 }),
      await sign({ ...claims, sid: 'unknown' }),
      person.refreshToken,
    ];
    for (const token of bad) expect(await codeOf(resolveActor(bearer(token)))).toBe('UNAUTHENTICATED');
  });

  it('is valid for 15 min', async () => {
    const { accessToken } = await newPerson();
    const { exp, iat } = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
    expect(exp - iat).toBe(900);
  });

  it('has no team once the membership is gone', async () => {
    const person = await newPerson();
    await db.membership.deleteMany({ where: { userId: person.user.id } });
    expect((await asPerson(person)).actor).toMatchObject({ team: null, role: null, scopes: [] });
  });

  it('outlives its team, but not its user', async () => {
    const person = await newPerson();
    await db.team.delete({ where: { id: person.teamId ?? '' } });
    expect((await asPerson(person)).actor).toMatchObject({ team: null, role: null });
    await db.user.delete({ where: { id: person.user.id } });
    expect(await codeOf(asPerson(person))).toBe('UNAUTHENTICATED');
  });

  it('has the current role', async () => {
    const person = await newPerson();
    await db.membership.updateMany({ where: { userId: person.user.id }, data: { role: 'viewer' } });
    expect((await asPerson(person)).actor).toMatchObject({ role: 'viewer', scopes: ['read'] });
  });
});

describe('dashboard session', () => {
  it('is valid until it is revoked', async () => {
    const { person, credential } = await newDashboardSession();
    const actor = await actorOf('user', credential);
    expect(actor).toMatchObject({
      sessionKind: 'dashboard',
      user: { id: person.user.id },
      team: { id: person.teamId },
    });
    await revokeSession(credential.sid);
    expect(await codeOf(resolveActor(credential))).toBe('UNAUTHENTICATED');
  });

  it('is rejected if of another user, kind or version', async () => {
    const { credential } = await newDashboardSession();
    const other = await newPerson();
    const { actor } = await asPerson(other);
    const wrong = [
      { ...credential, userId: other.user.id },
      { ...credential, sv: 2 },
      { kind: 'session' as const, sid: actor.sessionId, userId: other.user.id, sv: 1 },
    ];
    for (const one of wrong) expect(await codeOf(resolveActor(one))).toBe('UNAUTHENTICATED');
  });

  it('is extended by use, and expires otherwise', async () => {
    const { credential } = await newDashboardSession();
    const where = { id: credential.sid };
    const soon = new Date(Date.now() + 60_000);
    await db.session.update({ where, data: { lastUsedAt: new Date(Date.now() - 120_000), expiresAt: soon } });
    await resolveActor(credential);
    await vi.waitFor(async () => {
      const { lastUsedAt, expiresAt } = await db.session.findUniqueOrThrow({ where });
      expect(lastUsedAt.getTime()).toBeGreaterThan(Date.now() - 60_000);
      expect(expiresAt.getTime()).toBeGreaterThan(soon.getTime());
    });
    await db.session.update({ where, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await codeOf(resolveActor(credential))).toBe('UNAUTHENTICATED');
  });
});

describe('API key', () => {
  it('acts for its creator in its team, within its scopes', async () => {
    const { person, apiKey, secret } = await newKey(['read']);
    expect(await resolveActor(bearer(secret))).toEqual({
      kind: 'key',
      keyId: apiKey.id,
      keyPrefix: apiKey.prefix,
      user: { id: person.user.id, email: person.user.email, name: null, isAdmin: expect.any(Boolean) },
      team: { id: person.teamId, name: expect.any(String), plan: 'self_hosted' },
      role: 'owner',
      scopes: ['read'],
    });
  });

  it('never has more rights than its creator has now', async () => {
    const { person, secret } = await newKey();
    await db.membership.updateMany({ where: { userId: person.user.id }, data: { role: 'viewer' } });
    expect(await resolveActor(bearer(secret))).toMatchObject({ role: 'viewer', scopes: ['read'] });
    await db.membership.deleteMany({ where: { userId: person.user.id } });
    expect(await codeOf(resolveActor(bearer(secret)))).toBe('UNAUTHENTICATED');
  });

  it('leaves reading of its resources to a creator who is a viewer now', async () => {
    const { person, secret } = await newKey(['monitors:write', 'incidents:read']);
    expect(await resolveActor(bearer(secret))).toMatchObject({ scopes: ['monitors:write', 'incidents:read'] });
    await db.membership.updateMany({ where: { userId: person.user.id }, data: { role: 'viewer' } });
    expect(await resolveActor(bearer(secret))).toMatchObject({ scopes: ['monitors:read', 'incidents:read'] });
  });

  it('has the rights that it had before scopes of resources existed', async () => {
    const person = await newPerson();
    const key = async (scopes: string) => {
      const secret = `uw_${newId()}`;
      // As the former version inserts it, without the new columns.
      await db.$executeRaw`insert into api_keys (id, team_id, created_by_id, name, prefix, secret_hash, scopes)
        values (${newId()}, ${person.teamId}, ${person.user.id}, 'old', 'uw_old', ${sha256(secret)}, ${scopes}::scope[])`;
      return secret;
    };
    const [reading, writing, both] = [await key('{read}'), await key('{write}'), await key('{read,write}')];
    const call = async (token: string, method: string) => (await rest(method, '/api/v1/monitors', { token })).status;
    // 400: allowed, but without a body.
    expect(await Promise.all([reading, writing, both].map((key) => call(key, 'GET')))).toEqual([200, 403, 200]);
    expect(await Promise.all([reading, writing, both].map((key) => call(key, 'POST')))).toEqual([403, 400, 400]);
    expect(await resolveActor(bearer(both), '203.0.113.9')).toMatchObject({ scopes: ['read', 'write'] });
  });

  it('is accepted from its networks only, which its last use shows', async () => {
    const { apiKey, secret } = await newKey(['read'], ['192.0.2.0/24', '2001:db8::/32']);
    const lastUse = async () => (await db.apiKey.findUniqueOrThrow({ where: { id: apiKey.id } })).lastUsedAt;
    const from = (address: string) =>
      rest('GET', '/api/v1/monitors', { token: secret, headers: { 'x-upwatch-address': address } });
    for (const address of ['192.0.3.1', '2001:db9::1', 'unknown', '']) {
      const { status, body } = await from(address);
      expect([address, status, body.error.code]).toEqual([address, 403, 'FORBIDDEN']);
    }
    expect((await from('198.51.100.4')).body.error.message).toBe('This API key is not accepted from 198.51.100.4.');
    expect(await codeOf(resolveActor(bearer(secret)))).toBe('FORBIDDEN');
    expect(await lastUse()).toBeNull();
    for (const address of ['192.0.2.200', '::ffff:192.0.2.1', '2001:db8::1'])
      expect((await from(address)).status).toBe(200);
    await vi.waitFor(async () => expect(await lastUse()).not.toBeNull());
  });

  it('stays with its team if its creator is in others', async () => {
    const { person, secret } = await newKey();
    const host = await newPerson();
    await join(host.teamId ?? '', person, 'viewer');
    expect(await resolveActor(bearer(secret))).toMatchObject({ team: { id: person.teamId }, role: 'owner' });
  });

  it('is rejected if unknown, malformed or expired', async () => {
    const { apiKey, secret } = await newKey();
    for (const token of ['uw_', 'uw_unknown', `${secret}x`, secret.slice(0, -1), secret.toUpperCase()]) {
      expect(await codeOf(resolveActor(bearer(token)))).toBe('UNAUTHENTICATED');
    }
    await db.apiKey.update({ where: { id: apiKey.id }, data: { expiresAt: new Date(Date.now() - 1) } });
    expect(await codeOf(resolveActor(bearer(secret)))).toBe('UNAUTHENTICATED');
  });

  it('records its last use, at most once a minute', async () => {
    const { apiKey, secret } = await newKey();
    const lastUse = async () => (await db.apiKey.findUniqueOrThrow({ where: { id: apiKey.id } })).lastUsedAt;
    await resolveActor(bearer(secret));
    await vi.waitFor(async () => expect(await lastUse()).not.toBeNull());
    const recent = new Date(Date.now() - 30_000);
    await db.apiKey.update({ where: { id: apiKey.id }, data: { lastUsedAt: recent } });
    await Promise.all(Array.from({ length: 5 }, () => resolveActor(bearer(secret))));
    expect(await lastUse()).toEqual(recent);
    await db.apiKey.update({ where: { id: apiKey.id }, data: { lastUsedAt: new Date(Date.now() - 61_000) } });
    await resolveActor(bearer(secret));
    await vi.waitFor(async () => expect((await lastUse())?.getTime()).toBeGreaterThan(recent.getTime()));
  });
});

it('is resolved with one query for each kind of credential', async () => {
  const { person, apiKey, secret } = await newKey();
  const { credential } = await newDashboardSession();
  await db.apiKey.update({ where: { id: apiKey.id }, data: { lastUsedAt: new Date() } });
  for (const one of [bearer(secret), bearer(person.accessToken), credential]) {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    await resolveActor(one);
    expect(query).toHaveBeenCalledTimes(1);
    query.mockRestore();
  }
});
