import { beforeAll, describe, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import type { Role } from '@/server/platform/generated/prisma/enums';
import { createInvitation } from '@/server/teams/invitations/create-invitation';
import { resendInvitation } from '@/server/teams/invitations/resend-invitation';
import { revokeInvitation } from '@/server/teams/invitations/revoke-invitation';
import { codeOf, inTeam as contextOf } from '@/tests/integration/auth/people';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { acceptAs, acceptAsNew, auditOf, codeIn, inTeam, member, newEmail, tokenOf } from './support';

let instanceAdmin: Person;

beforeAll(async () => {
  // The first account of an instance is its administrator.
  instanceAdmin = await signUp();
});

const setRole = (by: Person, userId: string, role: Role) =>
  rest('PATCH', `/dashboard/team/members/${userId}`, { token: by.token, body: { role } });
const remove = (by: Person, userId: string) => rest('DELETE', `/dashboard/team/members/${userId}`, { token: by.token });
const forceDelete = (userId: string) =>
  rest('POST', `/admin/users/${userId}/force-delete`, { token: instanceAdmin.token, body: { reason: 'Test' } });
const statusOf = async (token: string) => (await rest('GET', `/auth/invite/${token}`)).body.invitation.status;
const roleOf = async ({ teamId }: Person, userId: string) =>
  (await db.membership.findUnique({ where: { teamId_userId: { teamId, userId } } }))?.role ?? null;

/** A team with an owner and a second member with a role. */
async function teamWith(role: Role): Promise<{ owner: Person; issuer: Person }> {
  const owner = await signUp();
  return { owner, issuer: await member(owner, role) };
}

describe('invitations whose issuer loses the right to invite', () => {
  it.each([
    ['is demoted to member', (owner: Person, { userId }: Person) => setRole(owner, userId, 'member')],
    ['is removed', (owner: Person, { userId }: Person) => remove(owner, userId)],
    ['leaves', (_owner: Person, issuer: Person) => remove(issuer, issuer.userId)],
    ['is deleted', (_owner: Person, { userId }: Person) => forceDelete(userId)],
  ])('revokes invitations when the issuer %s', async (_what, lose) => {
    const { owner, issuer } = await teamWith('admin');
    const token = await tokenOf(issuer, 'admin');
    const kept = await tokenOf(owner, 'admin');
    expect(codeIn(await lose(owner, issuer))).toBe('200 done');
    expect([await statusOf(token), await statusOf(kept)]).toEqual(['revoked', 'open']);
    expect(codeIn(await acceptAsNew(token))).toBe('400 INVITATION_INVALID');
    expect(codeIn(await acceptAsNew(kept))).toBe('201 done');
    expect((await auditOf(owner.teamId)).filter((entry) => entry.startsWith('invitation.revoke'))).toHaveLength(1);
  });

  it('do not let a removed admin back in', async () => {
    const { owner, issuer } = await teamWith('admin');
    const token = await tokenOf(issuer, 'admin');
    await remove(owner, issuer.userId);
    expect(codeIn(await acceptAs(issuer, token))).toBe('400 INVITATION_INVALID');
    expect(await roleOf(owner, issuer.userId)).toBeNull();
  });

  it('revokes only invitations above the role of an owner who is demoted to admin', async () => {
    const { owner, issuer } = await teamWith('owner');
    const [asOwner, asAdmin] = [await tokenOf(issuer, 'owner'), await tokenOf(issuer, 'admin')];
    await setRole(owner, issuer.userId, 'admin');
    expect([await statusOf(asOwner), await statusOf(asAdmin)]).toEqual(['revoked', 'open']);
    expect(codeIn(await acceptAsNew(asOwner))).toBe('400 INVITATION_INVALID');
    expect(codeIn(await acceptAsNew(asAdmin))).toBe('201 done');
  });

  it('stay open if the issuer is promoted', async () => {
    const { owner, issuer } = await teamWith('admin');
    const token = await tokenOf(issuer, 'admin');
    await setRole(owner, issuer.userId, 'owner');
    expect(codeIn(await acceptAsNew(token))).toBe('201 done');
  });

  it('stay open in the other teams of the issuer', async () => {
    const { owner, issuer } = await teamWith('admin');
    const other = await signUp();
    await db.membership.create({ data: { teamId: other.teamId, userId: issuer.userId, role: 'admin' } });
    const token = await tokenOf(await inTeam(issuer, other.teamId), 'admin');
    await remove(owner, issuer.userId);
    expect(codeIn(await acceptAsNew(token))).toBe('201 done');
  });

  it('belong to the last user who sent them', async () => {
    const { owner, issuer } = await teamWith('admin');
    await tokenOf(issuer, 'member');
    const { id } = await db.invitation.findFirstOrThrow({ where: { createdById: issuer.userId } });
    const again = await rest('POST', `/dashboard/team/invitations/${id}/resend`, { token: owner.token });
    await remove(owner, issuer.userId);
    expect(codeIn(await acceptAsNew(again.body.invitation.token))).toBe('201 done');
  });
});

describe("accepting an invitation by its issuer's rights", () => {
  it.each<[string, Role | null, string]>([
    ['who still has it', 'admin', '201 done'],
    ['who was demoted to member', 'member', '400 INVITATION_INVALID'],
    ['who has left the team', null, '400 INVITATION_INVALID'],
  ])('checks the current right of an issuer %s', async (_who, role, code) => {
    const { owner, issuer } = await teamWith('admin');
    const token = await tokenOf(issuer, 'admin');
    const where = { teamId: owner.teamId, userId: issuer.userId };
    // Simulates a role changed directly in the database, which bypasses the product's revocation.
    if (role) await db.membership.updateMany({ where, data: { role } });
    else await db.membership.deleteMany({ where });
    expect(codeIn(await acceptAsNew(token))).toBe(code);
  });

  it('rejects an invitation whose issuer is unknown', async () => {
    const { issuer } = await teamWith('admin');
    const token = await tokenOf(issuer, 'member');
    await db.invitation.updateMany({ where: { createdById: issuer.userId }, data: { createdById: null } });
    expect(codeIn(await acceptAsNew(token))).toBe('400 INVITATION_INVALID');
  });

  it.each([
    ['demoted', (owner: Person, { userId }: Person) => setRole(owner, userId, 'viewer')],
    ['removed', (owner: Person, { userId }: Person) => remove(owner, userId)],
    ['deleted', (_owner: Person, { userId }: Person) => forceDelete(userId)],
  ])('either succeeds or fails as a whole while its issuer is being %s', async (_what, lose) => {
    for (let round = 0; round < 6; round += 1) {
      const { owner, issuer } = await teamWith('admin');
      const [person, token] = [await signUp(), await tokenOf(issuer, 'admin')];
      const [accepted, lost] = await Promise.all([acceptAs(person, token), lose(owner, issuer)]);
      expect(codeIn(lost)).toBe('200 done');
      const { usedAt, revokedAt } = await db.invitation.findFirstOrThrow({ where: { teamId: owner.teamId } });
      const joined = (await roleOf(owner, person.userId)) === 'admin';
      expect([codeIn(accepted), joined, usedAt !== null, revokedAt !== null]).toEqual(
        joined ? ['200 done', true, true, false] : ['400 INVITATION_INVALID', false, false, true],
      );
    }
  });
});

describe('admin who lost the role after the request was authorized', () => {
  it('can no longer invite, resend or revoke', async () => {
    const { owner, issuer } = await teamWith('admin');
    await tokenOf(owner, 'member');
    const { id } = await db.invitation.findFirstOrThrow({ where: { teamId: owner.teamId } });
    const ctx = await contextOf({ accessToken: issuer.token });
    await setRole(owner, issuer.userId, 'member');
    const email = newEmail().toLowerCase();
    expect(await codeOf(createInvitation({ ctx, input: { email, role: 'viewer' } }))).toBe('FORBIDDEN');
    expect(await codeOf(resendInvitation({ ctx, input: { id } }))).toBe('FORBIDDEN');
    expect(await codeOf(revokeInvitation({ ctx, input: { id } }))).toBe('FORBIDDEN');
    expect(await db.invitation.count({ where: { teamId: owner.teamId } })).toBe(1);
  });
});
