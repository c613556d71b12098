import { describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { invite, member } from './support';

/** Sends a request with a key; returns the status and the code of the error. */
async function answerTo(key: string, method: string, path: string, body?: unknown): Promise<[number, string?]> {
  const { status, body: answer } = await rest(method, `/api/v1${path}`, { token: key, body });
  return answer?.error ? [status, answer.error.code] : [status];
}

const roleOf = async ({ teamId }: Person, { userId }: Person) =>
  (await db.membership.findUnique({ where: { teamId_userId: { teamId, userId } } }))?.role ?? null;

it('needs the scope of the resource, which read and write do not include', async () => {
  const owner = await signUp();
  const { userId } = await member(owner, 'viewer');
  const key = await makeKey(owner, ['read', 'write', 'monitors:write']);
  const { id } = (await invite(owner)).body.invitation;
  const calls: [string, string, unknown?][] = [
    ['PATCH', `/members/${userId}`, { role: 'member' }],
    ['DELETE', `/members/${userId}`],
    ['GET', '/invitations'],
    ['POST', '/invitations', { email: 'kim@example.test', role: 'viewer' }],
    ['POST', `/invitations/${id}/resend`],
    ['DELETE', `/invitations/${id}`],
    ['GET', '/api-keys'],
    ['GET', '/audit-log'],
    ['PATCH', '/team', { name: 'Mine' }],
  ];
  for (const call of calls) expect([call, await answerTo(key, ...call)]).toEqual([call, [403, 'INSUFFICIENT_SCOPE']]);
  expect(await answerTo(key, 'GET', '/members')).toEqual([200]);
});

describe('a key with the scope to write members', () => {
  it('changes roles and removes members, as the audit log says', async () => {
    const owner = await signUp();
    const colleague = await member(owner, 'viewer');
    const key = await makeKey(owner, ['members:write', 'audit-log:read']);
    expect(await answerTo(key, 'PATCH', `/members/${colleague.userId}`, { role: 'admin' })).toEqual([200]);
    expect(await roleOf(owner, colleague)).toBe('admin');
    expect(await answerTo(key, 'DELETE', `/members/${colleague.userId}`)).toEqual([200]);
    expect(await roleOf(owner, colleague)).toBeNull();
    const { body } = await rest('GET', '/api/v1/audit-log?action=member', { token: key });
    expect(body.entries).toMatchObject([
      { action: 'member.remove', actor: { kind: 'key', id: owner.userId, credential: key.slice(0, 9) } },
      { action: 'member.update', actor: { kind: 'key', id: owner.userId, credential: key.slice(0, 9) } },
    ]);
  });

  it('cannot decide who is an owner, nor remove its creator', async () => {
    const owner = await signUp();
    const [second, colleague] = [await member(owner, 'owner'), await member(owner, 'member')];
    const key = await makeKey(owner, ['members:write']);
    const refused = [403, 'FORBIDDEN'];
    expect(await answerTo(key, 'PATCH', `/members/${colleague.userId}`, { role: 'owner' })).toEqual(refused);
    expect(await answerTo(key, 'PATCH', `/members/${second.userId}`, { role: 'member' })).toEqual(refused);
    expect(await answerTo(key, 'DELETE', `/members/${second.userId}`)).toEqual(refused);
    expect(await answerTo(key, 'DELETE', `/members/${owner.userId}`)).toEqual(refused);
    expect(await Promise.all([owner, second, colleague].map((each) => roleOf(owner, each)))).toEqual([
      'owner',
      'owner',
      'member',
    ]);
  });

  it('does no more than the role of its creator allows', async () => {
    const owner = await signUp();
    const admin = await member(owner, 'admin');
    const viewer = await member(owner, 'viewer');
    const key = await makeKey(admin, ['members:write', 'team:write']);
    expect(await answerTo(key, 'PATCH', `/members/${viewer.userId}`, { role: 'member' })).toEqual([403, 'FORBIDDEN']);
    await db.membership.updateMany({ where: { userId: admin.userId, teamId: owner.teamId }, data: { role: 'viewer' } });
    expect(await answerTo(key, 'PATCH', '/team', { name: 'Mine' })).toEqual([403, 'INSUFFICIENT_SCOPE']);
    expect(await answerTo(key, 'GET', '/members')).toEqual([200]);
  });
});

it('cannot invite an owner, nor send or revoke the invitation of one', async () => {
  const owner = await signUp();
  const key = await makeKey(owner, ['invitations:write']);
  const { id } = (await invite(owner, 'new-owner@example.test', 'owner')).body.invitation;
  const refused = [403, 'FORBIDDEN'];
  const body = { email: 'other-owner@example.test', role: 'owner' };
  expect(await answerTo(key, 'POST', '/invitations', body)).toEqual(refused);
  expect(await answerTo(key, 'POST', `/invitations/${id}/resend`)).toEqual(refused);
  expect(await answerTo(key, 'DELETE', `/invitations/${id}`)).toEqual(refused);
  const { body: listed } = await rest('GET', '/api/v1/invitations', { token: key });
  expect(listed.invitations).toMatchObject([{ id, role: 'owner', status: 'open' }]);
  expect(await answerTo(key, 'POST', '/invitations', { ...body, role: 'admin' })).toEqual([201]);
});

it('lists and revokes keys, but creates none', async () => {
  const owner = await signUp();
  const leaked = await makeKey(owner);
  const key = await makeKey(owner, ['api-keys:write']);
  expect(await answerTo(key, 'POST', '/api-keys', { name: 'more', scopes: ['read'] })).toEqual([
    405,
    'METHOD_NOT_ALLOWED',
  ]);
  const { body } = await rest('GET', '/api/v1/api-keys', { token: key });
  expect(body.apiKeys).toHaveLength(2);
  const { id } = body.apiKeys.find(({ prefix }: { prefix: string }) => prefix === leaked.slice(0, 9));
  expect(await answerTo(leaked, 'GET', '/monitors')).toEqual([200]);
  expect(await answerTo(key, 'DELETE', `/api-keys/${id}`)).toEqual([200]);
  expect(await answerTo(leaked, 'GET', '/monitors')).toEqual([401, 'UNAUTHENTICATED']);
});
