import { expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { storage } from '@/server/platform/storage';
import { removeDeleted } from '@/server/worker/remove-deleted';
import { httpMonitor, type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { join, personWithEverything, tablesWith } from './support';

async function nameOf({ teamId }: Person): Promise<string> {
  return (await db.team.findUniqueOrThrow({ where: { id: teamId } })).name;
}

const remove = ({ token, teamId }: { token: string; teamId: string }, name: string) =>
  rest('POST', '/dashboard/team/delete', { token, body: { teamId, name } });

async function inTeam({ token }: Person, teamId: string): Promise<{ token: string; teamId: string }> {
  const { body } = await rest('POST', '/dashboard/me/team', { token, body: { teamId } });
  return { token: body.accessToken, teamId };
}

it('removes everything of the team, and keeps the accounts of its members', async () => {
  const person = await personWithEverything();
  const neighbour = await personWithEverything();
  const name = await nameOf(person);
  const { status, body } = await remove(person, name);
  expect([status, body.message]).toEqual([200, `${name} deleted.`]);
  await runJob(removeDeleted, {});
  // The audit entry of the deletion itself lists what was deleted.
  expect(await tablesWith(person.teamId)).toEqual({ audit_entries: 1 });
  expect(await storage.get(person.logoKey)).toBeNull();
  expect(await storage.get(neighbour.logoKey)).not.toBeNull();
  const entry = await db.auditEntry.findFirstOrThrow({ where: { action: 'team.delete', targetId: person.teamId } });
  expect(entry).toMatchObject({
    teamId: null,
    after: {
      removed: { monitors: 1, channels: 1, statusPages: 1, maintenanceWindows: 1, apiKeys: 1, invitations: 1 },
      steps: { stripe: { status: 'not needed' }, keyValue: { status: 'done' }, objects: { status: 'done' } },
    },
  });
  expect((await rest('GET', '/dashboard/me', { token: person.token })).body).toMatchObject({ teamId: null, teams: [] });
  expect((await rest('GET', '/api/v1/monitors', { token: person.key })).status).toBe(401);
  expect((await rest('GET', '/api/v1/monitors', { token: neighbour.key })).body.monitors).toHaveLength(1);
});

it('rejects a name that is not the current name of the team', async () => {
  const person = await signUp();
  const before = await nameOf(person);
  await rest('PATCH', '/dashboard/team', { token: person.token, body: { name: 'Renamed' } });
  for (const name of ['', 'renamed', before]) {
    const { status, body } = await remove(person, name);
    expect([status, body.error.issues[0].path]).toEqual([400, 'name']);
  }
  expect(await nameOf(person)).toBe('Renamed');
});

it('rejects an admin of the team', async () => {
  const [owner, admin] = await Promise.all([signUp(), signUp()]);
  await join(admin, owner, 'admin');
  const { status, body } = await remove(await inTeam(admin, owner.teamId), await nameOf(owner));
  expect([status, body.error.code]).toEqual([403, 'FORBIDDEN']);
});

it('rejects a repetition if the session is in another team of the same name', async () => {
  const person = await signUp();
  const { body } = await rest('POST', '/dashboard/teams', { token: person.token, body: { name: 'Shop' } });
  await rest('PATCH', '/dashboard/team', { token: person.token, body: { name: 'Shop' } });
  expect((await remove(person, 'Shop')).status).toBe(200);
  const { token } = await inTeam(person, body.team.id);
  const { status, body: refusal } = await remove({ token, teamId: person.teamId }, 'Shop');
  expect([status, refusal.error.code]).toEqual([404, 'NOT_FOUND']);
  expect(await db.team.findUnique({ where: { id: body.team.id } })).not.toBeNull();
});

it('succeeds for one of two owners who delete the team at once', async () => {
  const [one, other] = await Promise.all([signUp(), signUp()]);
  await join(other, one, 'owner');
  const name = await nameOf(one);
  const second = await inTeam(other, one.teamId);
  const answers = await Promise.all([remove(one, name), remove(second, name)]);
  const statuses = answers.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  expect([401, 403]).toContain(statuses[1]);
  expect(await db.auditEntry.count({ where: { action: 'team.delete', targetId: one.teamId } })).toBe(1);
});

it('leaves no monitors, members or invitations that are created at the same time', async () => {
  const person = await signUp();
  const { token } = person;
  const name = await nameOf(person);
  const guest = await signUp();
  const invited = { email: guest.email, role: 'member' };
  const { body } = await rest('POST', '/dashboard/team/invitations', { token, body: invited });
  const create = () => rest('POST', '/dashboard/monitors', { token, body: httpMonitor() });
  const answers = await Promise.all([
    ...Array.from({ length: 8 }, create),
    rest('POST', `/auth/invite/${body.invitation.token}/accept`, { token: guest.token }),
    remove(person, name),
    ...Array.from({ length: 8 }, create),
  ]);
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  expect(await db.team.findUnique({ where: { id: person.teamId } })).toBeNull();
  await runJob(removeDeleted, {});
  expect(await tablesWith(person.teamId)).toEqual({ audit_entries: 1 });
});
