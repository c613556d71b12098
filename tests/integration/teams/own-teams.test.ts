import { expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { type Person, rest, signUp } from '@/tests/support/rest';

const create = ({ token }: Person, name: unknown) => rest('POST', '/dashboard/teams', { token, body: { name } });
const rename = ({ token }: { token: string }, name: unknown) =>
  rest('PATCH', '/dashboard/team', { token, body: { name } });
const teamsOf = async ({ token }: Person) => (await rest('GET', '/dashboard/me', { token })).body.teams;

it('creates another team that its creator owns and can switch to', async () => {
  const person = await signUp();
  const { status, body } = await create(person, '  Second  ');
  expect([status, body.team]).toEqual([201, { id: expect.any(String), name: 'Second', role: 'owner' }]);
  expect(await teamsOf(person)).toContainEqual(body.team);
  const switched = await rest('POST', '/dashboard/me/team', { token: person.token, body: { teamId: body.team.id } });
  expect(switched.body).toMatchObject({ teamId: body.team.id, role: 'owner' });
});

it.each(['', '   ', 'two\nlines', 'x'.repeat(101), 7])('rejects %j as the name of a team', async (name) => {
  const person = await signUp();
  for (const send of [create, rename]) {
    const { status, body } = await send(person, name);
    expect([status, body.error.issues[0].path]).toEqual([400, 'name']);
  }
});

it('accepts one of ten concurrent creations at one below the limit of 20 owned teams', async () => {
  const person = await signUp();
  for (let owned = 1; owned < 19; owned += 1) {
    const data = { id: newId(), name: 'Filler', plan: 'free' as const };
    await db.team.create({ data: { ...data, memberships: { create: { userId: person.userId, role: 'owner' } } } });
  }
  const answers = await Promise.all(Array.from({ length: 10 }, () => create(person, 'Last')));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(402)]);
});

it('renames the team for an admin, rejects a member, and changes no other team', async () => {
  const [owner, admin, member, outsider] = await Promise.all([signUp(), signUp(), signUp(), signUp()]);
  const { teamId } = owner;
  const inTeam = async ({ userId, token }: Person, role: 'admin' | 'member') => {
    await db.membership.create({ data: { teamId, userId, role } });
    return { token: (await rest('POST', '/dashboard/me/team', { token, body: { teamId } })).body.accessToken };
  };
  const { status, body } = await rename(await inTeam(admin, 'admin'), 'Platform');
  expect([status, body.team]).toEqual([200, { id: teamId, name: 'Platform', role: 'admin' }]);
  expect((await rename(await inTeam(member, 'member'), 'Mine')).body.error.code).toBe('FORBIDDEN');
  expect(await teamsOf(owner)).toContainEqual({ id: teamId, name: 'Platform', role: 'owner' });
  expect(await teamsOf(outsider)).not.toContainEqual(expect.objectContaining({ name: 'Platform' }));
});

it('writes no audit entry for an unchanged team name', async () => {
  const person = await signUp();
  const [{ name }] = await teamsOf(person);
  expect((await rename(person, name)).status).toBe(200);
  expect(await db.auditEntry.count({ where: { teamId: person.teamId, action: 'team.update' } })).toBe(0);
});
