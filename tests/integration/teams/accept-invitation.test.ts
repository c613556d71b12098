import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { makeKey, type Person, rest, signUp } from '@/tests/support/rest';
import { acceptAs, acceptAsNew, auditOf, codeIn, cookieOf, newEmail, PASSWORD, tokenOf } from './support';

let owner: Person;

beforeAll(async () => {
  owner = await signUp();
});

const ulid = expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/);
const tokens = { accessToken: expect.any(String), refreshToken: expect.stringMatching(/^uwr_/) };

/** The team and role of a token. */
async function whereIs(token: string) {
  const { body } = await rest('GET', '/dashboard/me', { token });
  return { teamId: body.teamId, role: body.role, teams: body.teams?.length };
}

const membersOf = (teamId: string) => db.membership.count({ where: { teamId } });
const revoke = (tokenHolder: string, id: string) =>
  rest('DELETE', `/dashboard/team/invitations/${id}`, { token: tokenHolder });

async function invitationOf(token: string) {
  const { body } = await rest('GET', `/auth/invite/${token}`);
  return body.invitation;
}

async function idOfLast(teamId: string): Promise<string> {
  return (await db.invitation.findFirstOrThrow({ where: { teamId }, orderBy: { id: 'desc' } })).id;
}

describe('accepting an invitation without an account', () => {
  it('creates an account in the team, and returns valid tokens', async () => {
    const token = await tokenOf(owner, 'admin');
    const email = newEmail();
    const { status, body } = await acceptAsNew(token, { email, name: 'Kim' });
    expect(status).toBe(201);
    expect(body).toEqual({
      user: { id: ulid, email: email.toLowerCase(), name: 'Kim' },
      teamId: owner.teamId,
      role: 'admin',
      ...tokens,
    });
    expect(await whereIs(body.accessToken)).toEqual({ teamId: owner.teamId, role: 'admin', teams: 1 });
    expect((await rest('POST', '/auth/refresh', { body: { refreshToken: body.refreshToken } })).status).toBe(200);
    const login = await rest('POST', '/auth/login', { body: { email, password: PASSWORD } });
    expect(login.body).toMatchObject({ teamId: owner.teamId, role: 'admin' });
    expect(await db.user.findUnique({ where: { id: body.user.id } })).toMatchObject({ isAdmin: false });
    expect(await auditOf(owner.teamId)).toContain(`invitation.accept ${email.toLowerCase()}`);
  });

  it('requires no name', async () => {
    expect((await acceptAsNew(await tokenOf(owner), { name: undefined })).body.user.name).toBeNull();
  });

  it.each([
    ['email', { email: undefined }],
    ['email', { email: 'nobody' }],
    ['email', { email: 7 }],
    ['password', { password: undefined }],
    ['password', { password: 'too short' }],
    ['password', { password: null }],
    ['name', { name: 7 }],
    ['name', { name: null }],
  ])('names the invalid field %s, and keeps the invitation open', async (path, change) => {
    const token = await tokenOf(owner);
    const answer = await acceptAsNew(token, change);
    expect(codeIn(answer)).toBe('400 VALIDATION_ERROR');
    expect(answer.body.error.issues).toEqual([{ path, message: expect.any(String) }]);
    expect((await invitationOf(token)).status).toBe('open');
  });

  it('reports that the address has an account, and keeps the invitation open', async () => {
    const token = await tokenOf(owner);
    const person = await signUp();
    const before = await membersOf(owner.teamId);
    const email = person.email.toUpperCase();
    expect(codeIn(await acceptAsNew(token, { email }))).toBe('400 ACCOUNT_EXISTS');
    expect(codeIn(await acceptAsNew(token, { email, password: person.password }))).toBe('400 ACCOUNT_EXISTS');
    expect((await invitationOf(token)).status).toBe('open');
    expect(await membersOf(owner.teamId)).toBe(before);
  });
});

describe('accepting an invitation with an account', () => {
  it('needs no body, keeps the other teams and switches to this one', async () => {
    const person = await signUp();
    const { status, body } = await acceptAs(person, await tokenOf(owner, 'viewer'));
    expect(status).toBe(200);
    const { userId: id, email } = person;
    expect(body).toEqual({ user: { id, email, name: 'Robin' }, teamId: owner.teamId, role: 'viewer', ...tokens });
    expect(await whereIs(body.accessToken)).toEqual({ teamId: owner.teamId, role: 'viewer', teams: 2 });
    expect(await whereIs(person.token)).toEqual({ teamId: owner.teamId, role: 'viewer', teams: 2 });
  });

  it('ignores a body', async () => {
    const person = await signUp();
    const body = { email: 7, password: null };
    const path = `/auth/invite/${await tokenOf(owner)}/accept`;
    const answer = await rest('POST', path, { token: person.token, body });
    expect(answer.body.user).toMatchObject({ id: person.userId, email: person.email });
  });

  it('switches the browser session, and returns tokens as well', async () => {
    const person = await signUp();
    const cookie = await cookieOf(person);
    const path = `/auth/invite/${await tokenOf(owner)}/accept`;
    const foreign = await rest('POST', path, { headers: { cookie, origin: 'https://elsewhere.test' } });
    expect(codeIn(foreign)).toBe('403 FORBIDDEN');
    const { status, body } = await rest('POST', path, { headers: { cookie } });
    expect(status).toBe(200);
    expect(body).toMatchObject({ teamId: owner.teamId, role: 'member', ...tokens });
    const me = await rest('GET', '/dashboard/me', { headers: { cookie } });
    expect(me.body).toMatchObject({ teamId: owner.teamId, role: 'member' });
    expect(me.body.teams).toHaveLength(2);
  });

  it('reports an existing membership, and keeps the invitation open', async () => {
    const token = await tokenOf(owner);
    expect(codeIn(await acceptAs(owner, token))).toBe('400 ALREADY_MEMBER');
    expect(await whereIs(owner.token)).toMatchObject({ role: 'owner' });
    expect((await acceptAsNew(token)).status).toBe(201);
  });

  it('rejects a bad credential instead of treating the caller as new', async () => {
    const token = await tokenOf(owner);
    const path = `/auth/invite/${token}/accept`;
    const body = { email: newEmail(), password: PASSWORD };
    const key = await makeKey(owner);
    for (const authorization of ['Bearer nonsense', 'Bearer', 'Bearer a b', `Bearer ${key}`, `bearer ${key}`]) {
      const answer = await rest('POST', path, { headers: { authorization }, body });
      expect(codeIn(answer)).toBe('401 UNAUTHENTICATED');
    }
    const person = await signUp();
    const cookie = await cookieOf(person);
    await db.session.updateMany({ where: { userId: person.userId }, data: { revokedAt: new Date() } });
    for (const headers of [{ cookie }, { authorization: `Bearer ${person.token}` }]) {
      expect(codeIn(await rest('POST', path, { headers, body }))).toBe('401 UNAUTHENTICATED');
    }
    expect((await invitationOf(token)).status).toBe('open');
  });
});

describe('invalid invitation', () => {
  /** Tokens of invitations in every invalid state, with the expected answer. */
  async function badTokens(): Promise<[string, string, string][]> {
    const used = await tokenOf(owner);
    await acceptAsNew(used);
    const revoked = await tokenOf(owner);
    await revoke(owner.token, await idOfLast(owner.teamId));
    const expired = await tokenOf(owner);
    await db.invitation.update({ where: { id: await idOfLast(owner.teamId) }, data: { expiresAt: new Date() } });
    return [
      ['unknown', 'nothing', '400 INVITATION_INVALID'],
      ['revoked', revoked, '400 INVITATION_INVALID'],
      ['expired', expired, '400 INVITATION_INVALID'],
      ['used', used, '400 INVITATION_USED'],
    ];
  }

  it('is rejected for everybody alike, whatever the body is', async () => {
    const person = await signUp();
    const before = await membersOf(owner.teamId);
    for (const [state, token, code] of await badTokens()) {
      const answers = [
        await acceptAsNew(token),
        await rest('POST', `/auth/invite/${token}/accept`),
        await acceptAsNew(token, { email: 7 }),
        await acceptAsNew(token, { email: person.email }),
        await acceptAs(person, token),
        await acceptAs(owner, token),
      ];
      expect([state, ...answers.map(codeIn)]).toEqual([state, ...answers.map(() => code)]);
    }
    expect(await membersOf(owner.teamId)).toBe(before + 1);
  });

  it('can still be read, unless it is unknown', async () => {
    for (const [state, token] of await badTokens()) {
      const { status, body } = await rest('GET', `/auth/invite/${token}`);
      if (state === 'unknown') expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
      else expect(body.invitation.status).toBe(state);
    }
  });

  it('is revoked with its team', async () => {
    const team = await signUp();
    const token = await tokenOf(team);
    await db.team.delete({ where: { id: team.teamId } });
    expect(codeIn(await acceptAsNew(token))).toBe('400 INVITATION_INVALID');
  });
});

describe('concurrent acceptance', () => {
  it('succeeds for one of many new users with one link', async () => {
    const token = await tokenOf(owner);
    const before = await membersOf(owner.teamId);
    const answers = await Promise.all(Array.from({ length: 8 }, () => acceptAsNew(token)));
    expect(answers.map(codeIn).sort()).toEqual(['201 done', ...Array(7).fill('400 INVITATION_USED')]);
    expect(await membersOf(owner.teamId)).toBe(before + 1);
  });

  it('succeeds for one of two users with one link', async () => {
    const token = await tokenOf(owner);
    const people = await Promise.all([signUp(), signUp()]);
    const answers = await Promise.all(people.map((person) => acceptAs(person, token)));
    expect(answers.map(codeIn).sort()).toEqual(['200 done', '400 INVITATION_USED']);
  });

  it('joins a user with two links once', async () => {
    const person = await signUp();
    const links = [await tokenOf(owner), await tokenOf(owner)];
    const answers = await Promise.all(links.map((token) => acceptAs(person, token)));
    expect(answers.map(codeIn).sort()).toEqual(['200 done', '400 ALREADY_MEMBER']);
  });

  it('creates one account for an address with two links', async () => {
    const email = newEmail();
    const links = [await tokenOf(owner), await tokenOf(owner)];
    const answers = await Promise.all(links.map((token) => acceptAsNew(token, { email })));
    expect(answers.map(codeIn).sort()).toEqual(['201 done', '400 ACCOUNT_EXISTS']);
  });

  it('either accepts or revokes', async () => {
    for (let round = 0; round < 4; round += 1) {
      const token = await tokenOf(owner);
      const id = await idOfLast(owner.teamId);
      const [accepted, revoked] = await Promise.all([acceptAsNew(token), revoke(owner.token, id)]);
      const both = [codeIn(accepted), codeIn(revoked)];
      expect([
        ['200 done', '404 NOT_FOUND'],
        ['400 INVITATION_INVALID', '200 done'],
      ]).toContainEqual(both);
    }
  });
});

describe('member limit when accepting', () => {
  /** A team on the free plan (three members) with its owner and four links issued before. */
  async function smallTeam() {
    const team = await signUp();
    const links = await Promise.all(Array.from({ length: 4 }, () => tokenOf(team)));
    await db.team.update({ where: { id: team.teamId }, data: { plan: 'free' } });
    return { team, links };
  }

  it('applies, and keeps the invitation valid', async () => {
    const { team, links } = await smallTeam();
    const [first = '', second = '', third = ''] = links;
    expect(codeIn(await acceptAsNew(first))).toBe('201 done');
    const joined = await acceptAsNew(second);
    expect(codeIn(await acceptAsNew(third))).toBe('400 MEMBER_LIMIT_REACHED');
    expect(codeIn(await acceptAs(await signUp(), third))).toBe('400 MEMBER_LIMIT_REACHED');
    expect(codeIn(await acceptAs(team, third))).toBe('400 ALREADY_MEMBER');
    const email = joined.body.user.email;
    expect(codeIn(await acceptAsNew(third, { email }))).toBe('400 ACCOUNT_EXISTS');
    await rest('DELETE', `/dashboard/team/members/${joined.body.user.id}`, { token: team.token });
    expect(codeIn(await acceptAsNew(third))).toBe('201 done');
  });

  it('applies to concurrent requests, and creates no account for rejected ones', async () => {
    const { team, links } = await smallTeam();
    const emails = links.map(() => newEmail().toLowerCase());
    const answers = await Promise.all(links.map((token, at) => acceptAsNew(token, { email: emails[at] })));
    expect(answers.map(codeIn).sort()).toEqual([
      ...Array(2).fill('201 done'),
      ...Array(2).fill('400 MEMBER_LIMIT_REACHED'),
    ]);
    expect(await membersOf(team.teamId)).toBe(3);
    expect(await db.user.count({ where: { email: { in: emails } } })).toBe(2);
  });
});
