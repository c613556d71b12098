import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { updateMember } from '@/server/teams/update-member';
import { codeOf, inTeam as contextOf } from '@/tests/integration/auth/people';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { acceptAs, auditOf, codeIn, cookieOf, inTeam, member, tokenOf } from './support';

let owner: Person;
let outsider: Person;

beforeAll(async () => {
  owner = await signUp();
  outsider = await signUp();
});

const setRole = (by: Person, userId: string, role: unknown) =>
  rest('PATCH', `/dashboard/team/members/${userId}`, { token: by.token, body: { role } });

const remove = (by: Person, userId: string) => rest('DELETE', `/dashboard/team/members/${userId}`, { token: by.token });

const list = (by: Person, query = '') => rest('GET', `/dashboard/team/members${query}`, { token: by.token });

const roleOf = async (team: Person, userId: string) =>
  (await db.membership.findUnique({ where: { teamId_userId: { teamId: team.teamId, userId } } }))?.role ?? null;

const ownersOf = (team: Person) => db.membership.count({ where: { teamId: team.teamId, role: 'owner' } });

describe('GET members', () => {
  it('shows a viewer the whole team, and no other users', async () => {
    const team = await signUp();
    const viewer = await member(team, 'viewer');
    const { status, body } = await list(viewer);
    expect(status).toBe(200);
    const createdAt = expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/);
    expect(body).toEqual({
      members: [
        { id: team.userId, email: team.email, name: 'Robin', role: 'owner', createdAt },
        { id: viewer.userId, email: viewer.email, name: 'viewer', role: 'viewer', createdAt },
      ],
      nextCursor: null,
    });
  });

  it('returns pages', async () => {
    const team = await signUp();
    for (const role of ['admin', 'member', 'viewer'] as const) await member(team, role);
    const roles: string[] = [];
    let query = '?limit=3';
    for (let pages = 0; query !== ''; pages += 1) {
      const { body } = await list(team, query);
      roles.push(...body.members.map(({ role }: { role: string }) => role));
      query = body.nextCursor === null ? '' : `?limit=3&cursor=${body.nextCursor}`;
      expect(pages).toBeLessThan(2);
    }
    expect(roles).toEqual(['owner', 'admin', 'member', 'viewer']);
  });

  it('finds members by a part of the name or email address in any case, and by ID', async () => {
    const team = await signUp();
    const mara = await member(team, 'member');
    const other = await member(team, 'viewer');
    await db.user.update({ where: { id: mara.userId }, data: { name: 'Mara 100 % Quinn' } });
    const found = async (query: string) => {
      const { body } = await list(team, `?query=${encodeURIComponent(query)}`);
      return body.members.map(({ id }: { id: string }) => id);
    };
    expect(await found('mARa')).toEqual([mara.userId]);
    expect(await found('0 %')).toEqual([mara.userId]);
    expect(await found('%')).toEqual([mara.userId]);
    expect(await found('_')).toEqual([]);
    expect(await found(other.email.toUpperCase())).toEqual([other.userId]);
    expect(await found(other.userId)).toEqual([other.userId]);
    // A member of another team.
    expect(await found(owner.userId)).toEqual([]);
    expect(await found(' ')).toHaveLength(3);
  });

  it('rejects API keys', async () => {
    const key = await makeKey(owner);
    expect(codeIn(await rest('GET', '/dashboard/team/members'))).toBe('401 UNAUTHENTICATED');
    expect(codeIn(await rest('GET', '/dashboard/team/members', { token: key }))).toBe('401 UNAUTHENTICATED');
  });
});

describe('changing a role', () => {
  it('returns the member, whose role applies at once', async () => {
    const person = await member(owner, 'viewer');
    const { status, body } = await setRole(owner, person.userId, 'admin');
    expect(status).toBe(200);
    expect(body).toEqual({
      data: { id: person.userId, email: person.email, name: 'viewer', role: 'admin', createdAt: expect.any(String) },
    });
    expect((await rest('GET', '/dashboard/me', { token: person.token })).body.role).toBe('admin');
    expect(await auditOf(owner.teamId)).toContain(`member.update ${person.email}`);
    const entry = await db.auditEntry.findFirstOrThrow({ where: { targetId: person.userId, action: 'member.update' } });
    expect(entry).toMatchObject({ actorId: owner.userId, before: { role: 'viewer' }, after: { role: 'admin' } });
  });

  it('changes nothing for the same role', async () => {
    const person = await member(owner, 'member');
    expect(codeIn(await setRole(owner, person.userId, 'member'))).toBe('200 done');
    expect(await db.auditEntry.count({ where: { action: 'member.update', targetId: person.userId } })).toBe(0);
  });

  it('promotes members to owner, and demotes owners', async () => {
    const person = await member(owner, 'member');
    expect(codeIn(await setRole(owner, person.userId, 'owner'))).toBe('200 done');
    expect(codeIn(await setRole(owner, person.userId, 'member'))).toBe('200 done');
  });

  it('rejects changing the own role, with other owners and without', async () => {
    const second = await member(owner, 'owner');
    for (const by of [owner, second, outsider]) {
      expect(codeIn(await setRole(by, by.userId, 'member'))).toBe('400 OWN_ROLE_CHANGE');
    }
    expect(await roleOf(outsider, outsider.userId)).toBe('owner');
  });

  it('returns NOT_FOUND for a user outside the team', async () => {
    for (const userId of [outsider.userId, 'nobody']) {
      expect(codeIn(await setRole(owner, userId, 'viewer'))).toBe('400 MEMBER_NOT_FOUND');
    }
    expect(await roleOf(outsider, outsider.userId)).toBe('owner');
  });

  it.each(['admin', 'member', 'viewer'] as const)('rejects the role %s', async (role) => {
    const person = await member(owner, role);
    const other = await member(owner, 'viewer');
    for (const userId of [other.userId, person.userId, owner.userId, 'nobody']) {
      expect(codeIn(await setRole(person, userId, 'member'))).toBe('403 FORBIDDEN');
    }
  });

  it.each([[undefined], ['Owner'], ['boss'], [1], [null], [['owner']]])('rejects the new role %j', async (role) => {
    const person = await member(owner, 'member');
    const answer = await setRole(owner, person.userId, role);
    expect(codeIn(answer)).toBe('400 VALIDATION_ERROR');
    expect(answer.body.error.issues[0].path).toBe('role');
    expect(await roleOf(owner, person.userId)).toBe('member');
  });

  it('leaves one owner if two demote each other at once', async () => {
    for (let round = 0; round < 4; round += 1) {
      const first = await signUp();
      const second = await member(first, 'owner');
      const answers = await Promise.all([
        setRole(first, second.userId, 'member'),
        setRole(second, first.userId, 'member'),
      ]);
      const [won, lost] = answers.map(codeIn).sort();
      expect(won).toBe('200 done');
      // The error for a caller who is no longer an owner when the request is authenticated.
      expect(['409 LAST_OWNER', '403 FORBIDDEN']).toContain(lost);
      expect(await ownersOf(first)).toBe(1);
    }
  });

  it('rejects demoting the last owner by a user who was an owner when the request began', async () => {
    const first = await signUp();
    const second = await member(first, 'owner');
    const contexts = await Promise.all([first, second].map(({ token }) => contextOf({ accessToken: token })));
    const codes = await Promise.all(
      contexts.map((ctx) => {
        const userId = ctx.user.id === first.userId ? second.userId : first.userId;
        return codeOf(updateMember({ ctx, input: { userId, role: 'member' } }));
      }),
    );
    expect(codes.sort()).toEqual(['LAST_OWNER', 'it succeeded']);
  });

  it('leaves at least one owner if three demote each other in a ring', async () => {
    const first = await signUp();
    const [second, third] = [await member(first, 'owner'), await member(first, 'owner')];
    const answers = await Promise.all([
      setRole(first, second.userId, 'viewer'),
      setRole(second, third.userId, 'viewer'),
      setRole(third, first.userId, 'viewer'),
    ]);
    expect(answers.map(({ status }) => status)).toContain(200);
    for (const answer of answers) expect(['200 done', '403 FORBIDDEN', '409 LAST_OWNER']).toContain(codeIn(answer));
    expect(await ownersOf(first)).toBeGreaterThan(0);
  });
});

describe('removing a member', () => {
  it.each([
    ['owner', 'admin', '200 done'],
    ['owner', 'viewer', '200 done'],
    ['owner', 'owner', '403 FORBIDDEN'],
    ['admin', 'member', '200 done'],
    ['admin', 'viewer', '200 done'],
    ['admin', 'admin', '403 FORBIDDEN'],
    ['admin', 'owner', '403 FORBIDDEN'],
    ['member', 'viewer', '403 FORBIDDEN'],
    ['viewer', 'viewer', '403 FORBIDDEN'],
  ] as const)('as %s of the role %s: %s', async (by, role, outcome) => {
    const caller = by === 'owner' ? owner : await member(owner, by);
    const person = await member(owner, role);
    expect(codeIn(await remove(caller, person.userId))).toBe(outcome);
    expect(await roleOf(owner, person.userId)).toBe(outcome === '200 done' ? null : role);
  });

  it('ends their sessions and keys in this team, for good', async () => {
    const team = await signUp();
    const person = await member(team, 'admin');
    const elsewhere = await inTeam(person, await otherTeamOf(person, team));
    const [key, keyElsewhere] = [await makeKey(person), await makeKey(elsewhere)];
    const cookie = await cookieOf(person);
    await rest('POST', '/dashboard/me/team', { headers: { cookie }, body: { teamId: team.teamId } });
    const inBrowser = () => rest('GET', '/dashboard/monitors', { headers: { cookie } });
    const monitors = (token: string) => rest('GET', '/api/v1/monitors', { token });
    expect((await inBrowser()).status).toBe(200);
    expect((await remove(team, person.userId)).body).toEqual({ ok: true });

    async function expectOut() {
      for (const token of [person.token, key]) expect(codeIn(await monitors(token))).toBe('401 UNAUTHENTICATED');
      expect(codeIn(await inBrowser())).toBe('401 UNAUTHENTICATED');
      const { body } = await rest('POST', '/auth/refresh', { body: { refreshToken: person.refreshToken } });
      person.refreshToken = body.refreshToken;
      expect(codeIn(await monitors(body.accessToken))).toBe('401 UNAUTHENTICATED');
    }
    await expectOut();
    for (const token of [elsewhere.token, keyElsewhere]) expect((await monitors(token)).status).toBe(200);
    expect((await rest('GET', '/dashboard/me', { token: person.token })).body).toMatchObject({
      teamId: null,
      role: null,
    });

    // Rejoining issues new credentials and does not reactivate old ones.
    expect(codeIn(await acceptAs(elsewhere, await tokenOf(team)))).toBe('200 done');
    await expectOut();
    expect(await auditOf(team.teamId)).toContain(`member.remove ${person.email}`);
  });

  it('returns NOT_FOUND for a member of another team, or of none', async () => {
    for (const userId of [outsider.userId, 'nobody']) {
      expect(codeIn(await remove(owner, userId))).toBe('404 NOT_FOUND');
    }
    expect(await roleOf(outsider, outsider.userId)).toBe('owner');
  });

  it('succeeds once for two concurrent requests', async () => {
    const person = await member(owner, 'member');
    const answers = await Promise.all([remove(owner, person.userId), remove(owner, person.userId)]);
    expect(answers.map(codeIn).sort()).toEqual(['200 done', '404 NOT_FOUND']);
  });
});

async function otherTeamOf({ userId }: Person, team: Person): Promise<string> {
  const where = { userId, teamId: { not: team.teamId } };
  return (await db.membership.findFirstOrThrow({ where })).teamId;
}

describe('leaving a team', () => {
  it.each(['admin', 'member', 'viewer', 'owner'] as const)('is allowed for the role %s', async (role) => {
    const person = await member(owner, role);
    expect((await remove(person, person.userId)).body).toEqual({ ok: true });
    expect(await roleOf(owner, person.userId)).toBeNull();
    expect(await auditOf(owner.teamId)).toContain(`member.leave ${person.email}`);
  });

  it('is rejected for the last owner', async () => {
    const team = await signUp();
    const admin = await member(team, 'admin');
    expect(codeIn(await remove(team, team.userId))).toBe('409 LAST_OWNER');
    expect(codeIn(await remove(admin, team.userId))).toBe('403 FORBIDDEN');
    expect(await ownersOf(team)).toBe(1);
  });

  it('leaves one owner if both leave at once', async () => {
    for (let round = 0; round < 3; round += 1) {
      const first = await signUp();
      const second = await member(first, 'owner');
      const answers = await Promise.all([first, second].map((person) => remove(person, person.userId)));
      expect(answers.map(codeIn).sort()).toEqual(['200 done', '409 LAST_OWNER']);
      expect(await ownersOf(first)).toBe(1);
    }
  });

  it('leaves one owner if another owner demotes the leaving one', async () => {
    const first = await signUp();
    const second = await member(first, 'owner');
    await Promise.all([remove(first, first.userId), setRole(first, second.userId, 'admin')]);
    expect(await ownersOf(first)).toBe(1);
  });
});
