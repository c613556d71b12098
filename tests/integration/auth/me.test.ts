import { describe, expect, it } from 'vitest';
import { changePassword } from '@/server/account/change-password';
import { getMe } from '@/server/account/get-me';
import { logIn } from '@/server/account/log-in';
import { logInToDashboard } from '@/server/account/log-in-to-dashboard';
import { SessionChanged } from '@/server/auth/schema';
import { switchTeam } from '@/server/teams/switch-team';
import { resolveActor } from '@/server/trpc/resolve-actor';
import { actorOf, asPerson, codeOf, join, newPerson, outsider, PASSWORD } from './people';

const NEW_PASSWORD = 'a wholly new password';

async function onDashboard(email: string) {
  const started = await logInToDashboard({ ctx: outsider(), input: { email, password: PASSWORD } });
  const { id: sid, userId, sessionVersion: sv } = started;
  const credential = { kind: 'session' as const, sid, userId, sv };
  const actor = await actorOf('user', credential);
  return { credential, ctx: { ...outsider(), actor, user: actor.user } };
}

async function inTwoTeams() {
  const person = await newPerson();
  const host = await newPerson();
  await join(host.teamId ?? '', person, 'member');
  return { person, host: host.teamId ?? '' };
}

describe('me', () => {
  it('marks an administrator', async () => {
    expect(await getMe({ ctx: await asPerson(await newPerson()) })).toMatchObject({ user: { isAdmin: true } });
  });

  it('returns the user, the current team and all teams', async () => {
    const { person, host } = await inTwoTeams();
    expect(await getMe({ ctx: await asPerson(person) })).toEqual({
      user: { ...person.user, isAdmin: false, timeZone: null },
      teamId: person.teamId,
      role: 'owner',
      teams: [
        { id: person.teamId, name: expect.any(String), role: 'owner' },
        { id: host, name: expect.any(String), role: 'member' },
      ],
    });
  });
});

describe('switching the team', () => {
  it('returns tokens for the other team and keeps the old ones', async () => {
    const { person, host } = await inTwoTeams();
    const switched = await switchTeam({ ctx: await asPerson(person), input: { teamId: host } });
    expect(switched).toMatchObject({ user: person.user, teamId: host, role: 'member' });
    const { accessToken } = switched;
    expect((await asPerson({ accessToken: accessToken ?? '' })).actor).toMatchObject({ team: { id: host } });
    expect((await asPerson(person)).actor).toMatchObject({ team: { id: person.teamId } });
  });

  it("moves the dashboard's session, without tokens", async () => {
    const { person, host } = await inTwoTeams();
    const { credential, ctx } = await onDashboard(person.user.email);
    const switched = await switchTeam({ ctx, input: { teamId: host } });
    expect(switched).toEqual({ user: person.user, teamId: host, role: 'member' });
    expect(await resolveActor(credential)).toMatchObject({ team: { id: host }, role: 'member' });
  });

  it('rejects a team that the user is not a member of', async () => {
    const person = await newPerson();
    const ctx = await asPerson(person);
    const { teamId } = await newPerson();
    for (const id of [teamId ?? '', 'unknown']) {
      expect(await codeOf(switchTeam({ ctx, input: { teamId: id } }))).toBe('NOT_FOUND');
    }
  });
});

describe('changing the password', () => {
  const change = (ctx: Parameters<typeof changePassword>[0]['ctx'], currentPassword = PASSWORD) =>
    changePassword({ ctx, input: { currentPassword, newPassword: NEW_PASSWORD } });

  it('ends every session and returns new tokens', async () => {
    const person = await newPerson();
    const { email } = person.user;
    const dashboard = await onDashboard(email);
    const changed = await change(await asPerson(person));
    expect(SessionChanged.parse(changed)).toMatchObject({ teamId: person.teamId, role: 'owner' });
    expect(await codeOf(asPerson(person))).toBe('UNAUTHENTICATED');
    expect(await codeOf(resolveActor(dashboard.credential))).toBe('UNAUTHENTICATED');
    expect((await asPerson({ accessToken: changed.accessToken ?? '' })).user.id).toBe(person.user.id);
    expect(await codeOf(logIn({ ctx: outsider(), input: { email, password: PASSWORD } }))).toBe('UNAUTHENTICATED');
    expect(await codeOf(logIn({ ctx: outsider(), input: { email, password: NEW_PASSWORD } }))).toBe('it succeeded');
  });

  it('ends the dashboard session that asked for it too', async () => {
    const { user } = await newPerson();
    const { credential, ctx } = await onDashboard(user.email);
    expect(await change(ctx)).not.toHaveProperty('accessToken');
    expect(await codeOf(resolveActor(credential))).toBe('UNAUTHENTICATED');
  });

  it('requires the current password, and counts guesses', async () => {
    const person = await newPerson();
    const ctx = await asPerson(person);
    for (let guess = 0; guess < 10; guess += 1) expect(await codeOf(change(ctx, 'wrong'))).toBe('VALIDATION_ERROR');
    expect(await codeOf(change(ctx))).toBe('RATE_LIMITED');
    expect(await codeOf(asPerson(person))).toBe('it succeeded');
  });

  it('succeeds once for two concurrent requests', async () => {
    const ctx = await asPerson(await newPerson());
    const codes = await Promise.all([codeOf(change(ctx)), codeOf(change(ctx))]);
    expect(codes.sort()).toEqual(['UNAUTHENTICATED', 'it succeeded']);
  });
});
