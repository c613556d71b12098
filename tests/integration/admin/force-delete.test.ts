import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { kv } from '@/server/platform/kv';
import { storage } from '@/server/platform/storage';
import { rateLimitKey } from '@/server/trpc/rate-limit';
import { throttlePrefix } from '@/server/trpc/throttle';
import { addChecks } from '@/tests/support/checks';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { entryOf, forceDelete, join, personWithEverything, stepsOf, tablesWith } from './support';

let admin: Person;
beforeAll(async () => {
  admin = await signUp('Ada');
});

const preview = (userId: string, token = admin.token) => rest('GET', `/admin/users/${userId}/force-delete`, { token });

describe('force delete', () => {
  it('leaves nothing of a user but the audit entry of the deletion', async () => {
    const robin = await personWithEverything();
    await kv.set(rateLimitKey('user', robin.userId), '5');
    const key = await db.apiKey.findFirstOrThrow({ where: { teamId: robin.teamId } });
    await kv.set(rateLimitKey('key', key.id), '5');
    const throttled = `${throttlePrefix(robin.email)}attempts:outsiders`;
    await kv.set(throttled, '1');

    const { status, body } = await forceDelete(admin, robin.userId, '  Asked by mail.  ');
    expect(status).toBe(200);
    expect(body).toEqual({ message: `${robin.email} and one team deleted.` });

    expect(await tablesWith(robin.pageId)).toEqual({});
    for (const text of [robin.userId, robin.teamId, robin.email]) {
      expect(await tablesWith(text)).toEqual({ audit_entries: 1 });
    }
    expect(await kv.get(throttled)).toBeNull();
    expect(await kv.get(rateLimitKey('user', robin.userId))).toBeNull();
    expect(await kv.get(rateLimitKey('key', key.id))).toBeNull();
    expect(await storage.get(robin.logoKey)).toBeNull();

    const one = expect.any(Number);
    expect(await entryOf(robin.userId)).toMatchObject({
      teamId: null,
      actorId: admin.userId,
      actorName: admin.email,
      targetName: robin.email,
      reason: 'Asked by mail.',
      after: {
        removed: {
          user: { id: robin.userId, email: robin.email },
          teams: [
            {
              id: robin.teamId,
              members: 1,
              monitors: 1,
              incidents: 1,
              channels: 1,
              statusPages: 1,
              maintenanceWindows: 1,
              apiKeys: 1,
              invitations: 1,
              billing: false,
            },
          ],
          memberships: [],
        },
        steps: {
          stripe: { status: 'not needed' },
          keyValue: { status: 'done', attempts: one, at: expect.any(String) },
          objects: { status: 'done', attempts: one, at: expect.any(String) },
        },
      },
    });
  });

  it('deletes the responses stored for idempotent retries', async () => {
    const headers = { 'idempotency-key': 'kept' };
    const email = 'signed-up@example.test';
    const signUpOnce = () =>
      rest('POST', '/auth/signup', { body: { email, password: 'correct horse battery' }, headers });
    const { user, teamId, accessToken: token } = (await signUpOnce()).body;
    const [kim, other] = [await signUp(), await signUp()];
    await join(kim, { teamId }, 'admin');
    const inTeam = await rest('POST', '/dashboard/me/team', { token: kim.token, body: { teamId } });
    const open = (bearer: string) =>
      rest('POST', '/api/v1/incidents', { token: bearer, body: { title: 'Late' }, headers });
    const tokens = [
      token,
      inTeam.body.accessToken,
      await makeKey({ ...kim, token: inTeam.body.accessToken }),
      other.token,
    ];
    for (const each of tokens) expect((await open(each)).status).toBe(201);
    const kept = () =>
      db.idempotentRequest.findMany({
        where: { OR: [{ userId: { in: [user.id, kim.userId, other.userId] } }, { teamId }] },
      });
    expect(await kept()).toHaveLength(5);

    await forceDelete(admin, user.id);
    expect(await kept()).toMatchObject([{ userId: other.userId, teamId: other.teamId }]);
    expect((await open(other.token)).headers.get('idempotency-replayed')).toBe('true');
    expect((await open(token)).status).toBe(401);
    const again = await signUpOnce();
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([201, null]);
    expect(again.body.user.id).not.toBe(user.id);
  });

  it('ends every token, session and key at once', async () => {
    const robin = await personWithEverything();
    const me = () => rest('GET', '/dashboard/me', { token: robin.token });
    expect((await me()).status).toBe(200);
    await forceDelete(admin, robin.userId);
    expect((await me()).body.error.code).toBe('UNAUTHENTICATED');
    expect((await rest('GET', '/api/v1/monitors', { token: robin.key })).status).toBe(401);
    expect((await rest('POST', '/auth/refresh', { body: { refreshToken: robin.refreshToken } })).status).toBe(401);
    const { email, password } = robin;
    expect((await rest('POST', '/auth/login', { body: { email, password } })).status).toBe(401);
    const again = await rest('POST', '/auth/signup', { body: { email, password } });
    expect(again.status).toBe(201);
    expect(again.body.user.id).not.toBe(robin.userId);
  });

  it('removes the user from teams that have another owner, with their keys there', async () => {
    const [robin, kim, shared] = [await signUp(), await signUp(), await signUp()];
    await join(robin, shared, 'owner');
    await join(kim, robin, 'admin');
    const switched = await rest('POST', '/dashboard/me/team', { token: robin.token, body: { teamId: shared.teamId } });
    await makeKey({ ...robin, token: switched.body.accessToken });
    const kept = await makeKey(shared);
    await forceDelete(admin, robin.userId);
    const members = await db.membership.findMany({ where: { teamId: shared.teamId } });
    expect(members).toMatchObject([{ userId: shared.userId, role: 'owner' }]);
    expect(await db.apiKey.count({ where: { teamId: shared.teamId } })).toBe(1);
    expect((await rest('GET', '/api/v1/monitors', { token: kept })).status).toBe(200);
    // The admin of the deleted team keeps their account and their own team.
    const { body } = await rest('GET', '/dashboard/me', { token: kim.token });
    expect(body.teams.map(({ id }: { id: string }) => id)).toEqual([kim.teamId]);
    expect(await db.auditEntry.findFirst({ where: { teamId: shared.teamId, action: 'member.remove' } })).toMatchObject({
      targetId: robin.userId,
      actorId: admin.userId,
      before: { role: 'owner' },
      reason: null,
    });
  });

  it('deletes exactly what the preview lists, and the preview changes nothing', async () => {
    const robin = await personWithEverything();
    const other = await signUp();
    await join(robin, other, 'member');
    const before = await tablesWith(robin.userId);
    const { status, body } = await preview(robin.userId);
    expect(status).toBe(200);
    expect(await tablesWith(robin.userId)).toEqual(before);
    expect(body.preview).toMatchObject({
      user: { email: robin.email },
      teams: [{ id: robin.teamId, monitors: 1 }],
      memberships: [{ id: other.teamId, role: 'member', apiKeys: 0 }],
      refusal: null,
    });
    await forceDelete(admin, robin.userId);
    const { refusal: _refusal, ...removed } = body.preview;
    expect((await entryOf(robin.userId)).after).toMatchObject({ removed });
  });

  it('succeeds once, however many requests run at once', async () => {
    const robin = await personWithEverything();
    const answers = await Promise.all(Array.from({ length: 4 }, () => forceDelete(admin, robin.userId)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404]);
    expect(await db.auditEntry.count({ where: { action: 'user.force_delete', targetId: robin.userId } })).toBe(1);
  });

  it('deletes the team when both of its owners are force-deleted at once', async () => {
    const [one, two] = [await signUp(), await signUp()];
    await join(two, one, 'owner');
    const answers = await Promise.all([forceDelete(admin, one.userId), forceDelete(admin, two.userId)]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await db.team.count({ where: { id: { in: [one.teamId, two.teamId] } } })).toBe(0);
  });

  it('deletes thousands of checks across days', async () => {
    const robin = await personWithEverything();
    const { num } = await db.monitor.findFirstOrThrow({ where: { teamId: robin.teamId } });
    // 5,000 results every 20 s cover 28 hours, and therefore a midnight at any time of the day.
    const moments = Array.from({ length: 5_000 }, (_, index) => new Date(Date.now() - index * 20_000));
    await addChecks(moments.map((at) => ({ monitorNum: num, at, region: 'x', status: 'up' as const })));
    expect((await forceDelete(admin, robin.userId)).status).toBe(200);
    expect(await db.check.count({ where: { monitorNum: num } })).toBe(0);
  });
});

describe('permissions of a force delete', () => {
  it('allows administrators of the instance, as users', async () => {
    const [robin, kim] = [await signUp(), await signUp()];
    for (const call of [
      () => forceDelete(kim, robin.userId),
      () => preview(robin.userId, kim.token),
      () => rest('GET', '/admin/users', { token: kim.token }),
      () => rest('GET', '/admin/audit-log', { token: kim.token }),
    ]) {
      expect((await call()).body.error).toMatchObject({ code: 'FORBIDDEN', status: 403 });
    }
    const key = await makeKey(admin);
    expect((await forceDelete({ ...admin, token: key }, robin.userId)).status).toBe(401);
    expect((await rest('POST', `/admin/users/${robin.userId}/force-delete`, { body: { reason: 'x' } })).status).toBe(
      401,
    );
    expect(await db.user.count({ where: { id: robin.userId } })).toBe(1);
  });

  it('returns NOT_FOUND for an unknown user', async () => {
    for (const call of [() => forceDelete(admin, 'nobody'), () => preview('nobody')]) {
      expect((await call()).body.error).toMatchObject({ code: 'NOT_FOUND', status: 404 });
    }
  });

  it.each([
    ['none', undefined],
    ['an empty one', ''],
    ['only spaces', '   '],
    ['1001 characters', 'x'.repeat(1001)],
    ['a number', 7],
    ['null', null],
    ['a list', ['x']],
    ['a NUL', 'nul \u0000'],
  ])('requires a reason: rejects %s', async (_what, reason) => {
    const robin = await signUp();
    const { status, body } = await rest('POST', `/admin/users/${robin.userId}/force-delete`, {
      token: admin.token,
      body: { reason },
    });
    expect(status).toBe(400);
    expect(body.error.code).toBe('VALIDATION_ERROR');
    expect(body.error.issues[0].path).toBe('reason');
    expect(await db.user.count({ where: { id: robin.userId } })).toBe(1);
  });

  it('rejects the last administrator, and accepts all but one of several', async () => {
    expect((await forceDelete(admin, admin.userId)).body.error).toMatchObject({
      code: 'LAST_ADMINISTRATOR',
      status: 409,
    });
    expect((await preview(admin.userId)).body.preview.refusal).toContain('last administrator');
    const second = await signUp();
    await db.user.update({ where: { id: second.userId }, data: { isAdmin: true } });
    expect((await preview(second.userId)).body.preview.refusal).toBeNull();
    const third = await signUp();
    await db.user.update({ where: { id: third.userId }, data: { isAdmin: true } });
    const answers = await Promise.all([
      forceDelete(second, third.userId),
      forceDelete(third, second.userId),
      forceDelete(second, second.userId),
    ]);
    expect(await db.user.count({ where: { isAdmin: true } })).toBeGreaterThanOrEqual(1);
    expect(answers.every(({ status }) => [200, 401, 404].includes(status))).toBe(true);
  });
});

it('is completed by a job if the process dies right after its commit', async () => {
  const { cleanUpJob } = await import('@/server/admin/clean-up');
  const robin = await personWithEverything();
  await forceDelete(admin, robin.userId);
  const jobs = await db.$queryRaw<{ payload: unknown }[]>`
    select payload from graphile_worker._private_jobs where payload->>'entryId' = ${(await entryOf(robin.userId)).id}`;
  expect(jobs).toHaveLength(2);
  const attempts = (await stepsOf(robin.userId)).objects?.attempts;
  for (const { payload } of jobs) {
    await runJob(cleanUpJob, payload);
  }
  expect((await stepsOf(robin.userId)).objects).toMatchObject({ status: 'done', attempts });
});
