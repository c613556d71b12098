import { beforeAll, describe, expect, it, vi } from 'vitest';
import { unseal } from '@/server/platform/crypto';
import { db } from '@/server/platform/db';
import { sendInvitation } from '@/server/teams/invitations/send-invitation';
import { DAY_MS } from '@/server/time/schema';
import { type Person, rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';
import { acceptAsNew, auditOf, codeIn, invite, member, newEmail } from './support';

vi.hoisted(() => {
  process.env.AUTH_RATE_LIMIT_PER_MINUTE = '0';
  process.env.APP_URL = 'https://upwatch.example.test';
});

let owner: Person;
let outsider: Person;

beforeAll(async () => {
  owner = await signUp();
  outsider = await signUp();
});

const list = (by: Person, query = '') => rest('GET', `/dashboard/team/invitations${query}`, { token: by.token });
const revoke = (by: Person, id: string) => rest('DELETE', `/dashboard/team/invitations/${id}`, { token: by.token });
const look = async (token: string) => (await rest('GET', `/auth/invite/${token}`)).body.invitation?.status;
const expire = (id: string) => db.invitation.update({ where: { id }, data: { expiresAt: new Date(Date.now() - 1) } });

const resend = (by: Person, id: string) =>
  rest('POST', `/dashboard/team/invitations/${id}/resend`, { token: by.token });

/** The queued mails, oldest first. */
function queued(): Promise<{ invitationId: string; sealedToken: string }[]> {
  return db.$queryRaw<{ payload: { invitationId: string; sealedToken: string } }[]>`
      select j.payload from graphile_worker._private_jobs j
      join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'send-invitation' order by j.id`.then((rows) => rows.map(({ payload }) => payload));
}

async function runMail(id: string): Promise<void> {
  const job = (await queued()).find(({ invitationId }) => invitationId === id);
  if (!job) throw new Error('No mail was queued.');
  await runJob(sendInvitation, job);
}

describe('inviting', () => {
  it('shows the token once and stores its hash', async () => {
    const { status, body } = await invite(owner, ' Kim@Example.test ', 'admin');
    expect(status).toBe(201);
    const { token, expiresAt } = body.invitation;
    expect(body).toEqual({
      invitation: {
        id: expect.stringMatching(/^[0-9A-HJKMNP-TV-Z]{26}$/),
        email: 'kim@example.test',
        role: 'admin',
        token: expect.stringMatching(/^[\w-]{43}$/),
        url: `https://upwatch.example.test/invite/${token}`,
        expiresAt: expect.any(String),
      },
    });
    expect(Math.abs(Date.parse(expiresAt) - Date.now() - 7 * DAY_MS)).toBeLessThan(60_000);
    const rows = await db.$queryRaw<{ text: string }[]>`select i::text as text from invitations i`;
    const entries = await db.auditEntry.findMany();
    expect(JSON.stringify([rows, entries, await queued(), (await list(owner)).body])).not.toContain(token);
    expect(await auditOf(owner.teamId)).toContain('invitation.create kim@example.test');
    const seen = await rest('GET', `/auth/invite/${token}`);
    const team = await db.team.findUniqueOrThrow({ where: { id: owner.teamId } });
    expect(seen.body).toEqual({
      invitation: { teamName: team.name, role: 'admin', email: 'kim@example.test', status: 'open', expiresAt },
    });
  });

  it.each([
    ['owner', 'owner', '201 done'],
    ['admin', 'owner', '403 FORBIDDEN'],
    ['admin', 'admin', '201 done'],
    ['admin', 'viewer', '201 done'],
    ['member', 'viewer', '403 FORBIDDEN'],
    ['viewer', 'viewer', '403 FORBIDDEN'],
  ] as const)('as %s with the role %s, for a new member: %s', async (by, role, outcome) => {
    const caller = by === 'owner' ? owner : await member(owner, by);
    expect(codeIn(await invite(caller, newEmail(), role))).toBe(outcome);
  });

  it.each([
    ['email', 'nobody', 'member'],
    ['email', '', 'member'],
    ['role', 'kim@example.test', 'boss'],
  ])('names the invalid field %s', async (path, email, role) => {
    const answer = await invite(owner, email, role);
    expect(codeIn(answer)).toBe('400 VALIDATION_ERROR');
    expect(answer.body.error.issues[0].path).toBe(path);
  });

  it('rejects the address of a member', async () => {
    expect(codeIn(await invite(owner, owner.email.toUpperCase()))).toBe('400 ALREADY_MEMBER');
    expect(codeIn(await invite(owner, outsider.email))).toBe('201 done');
  });

  it('replaces the earlier link of an address', async () => {
    const team = await signUp();
    const email = newEmail();
    const first = (await invite(team, email, 'viewer')).body.invitation;
    const second = (await invite(team, email.toLowerCase(), 'admin')).body.invitation;
    expect([await look(first.token), await look(second.token)]).toEqual(['revoked', 'open']);
    const { body } = await list(team);
    expect(body.invitations).toMatchObject([{ id: second.id, role: 'admin' }]);
    expect(codeIn(await acceptAsNew(first.token))).toBe('400 INVITATION_INVALID');
  });

  it('leaves one link for concurrent invitations of an address', async () => {
    const team = await signUp();
    const email = newEmail();
    const answers = await Promise.all([invite(team, email), invite(team, email), invite(team, email)]);
    expect(answers.map(codeIn)).toEqual(Array(3).fill('201 done'));
    const states = await Promise.all(answers.map(({ body }) => look(body.invitation.token)));
    expect(states.sort()).toEqual(['open', 'revoked', 'revoked']);
  });

  it("does not let an admin replace an owner's invitation", async () => {
    const admin = await member(owner, 'admin');
    const email = newEmail();
    const { invitation } = (await invite(owner, email, 'owner')).body;
    expect(codeIn(await invite(admin, email, 'viewer'))).toBe('403 FORBIDDEN');
    expect(codeIn(await revoke(admin, invitation.id))).toBe('403 FORBIDDEN');
    expect(codeIn(await resend(admin, invitation.id))).toBe('403 FORBIDDEN');
    expect(await look(invitation.token)).toBe('open');
  });
});

describe('member limit when inviting', () => {
  async function smallTeam() {
    const team = await signUp();
    await db.team.update({ where: { id: team.teamId }, data: { plan: 'free' } });
    return team;
  }

  it('counts members and open invitations', async () => {
    const team = await smallTeam();
    const first = (await invite(team)).body.invitation;
    const email = newEmail();
    await invite(team, email);
    expect(codeIn(await invite(team))).toBe('402 PLAN_LIMIT_REACHED');
    expect(codeIn(await invite(team, email))).toBe('201 done');
    await revoke(team, first.id);
    const third = (await invite(team)).body.invitation;
    await expire(third.id);
    const fourth = (await invite(team)).body.invitation;
    expect(codeIn(await resend(team, third.id))).toBe('402 PLAN_LIMIT_REACHED');
    expect(await look(third.token)).toBe('expired');
    expect(codeIn(await acceptAsNew(fourth.token))).toBe('201 done');
    expect(codeIn(await invite(team))).toBe('402 PLAN_LIMIT_REACHED');
  });

  it('applies to concurrent requests', async () => {
    const team = await smallTeam();
    await invite(team);
    const answers = await Promise.all(Array.from({ length: 6 }, () => invite(team)));
    expect(answers.map(codeIn).sort()).toEqual(['201 done', ...Array(5).fill('402 PLAN_LIMIT_REACHED')]);
  });
});

describe('GET invitations', () => {
  it('lists those that can be accepted or sent again, newest first', async () => {
    const team = await signUp();
    const emails = Array.from({ length: 4 }, () => newEmail().toLowerCase());
    const made = [];
    for (const email of emails) made.push((await invite(team, email)).body.invitation);
    await acceptAsNew(made[0].token);
    await expire(made[1].id);
    const { body } = await list(team);
    expect(body.invitations.map(({ email, status }: Record<string, string>) => [email, status])).toEqual([
      [emails[3], 'open'],
      [emails[2], 'open'],
      [emails[1], 'expired'],
    ]);
    expect(body.invitations[0]).toEqual({
      id: made[3].id,
      email: emails[3],
      role: 'member',
      status: 'open',
      createdAt: expect.any(String),
      expiresAt: made[3].expiresAt,
      createdBy: { id: team.userId, name: 'Robin', email: team.email },
    });
    const first = await list(team, '?limit=2');
    const second = await list(team, `?limit=2&cursor=${first.body.nextCursor}`);
    expect([first.body.invitations.length, second.body.invitations.length, second.body.nextCursor]).toEqual([
      2,
      1,
      null,
    ]);
  });

  it.each(['member', 'viewer'] as const)('rejects the role %s', async (role) => {
    expect(codeIn(await list(await member(owner, role)))).toBe('403 FORBIDDEN');
  });
});

describe('revoking an invitation', () => {
  it('invalidates the link, once', async () => {
    const { invitation } = (await invite(owner)).body;
    const answers = await Promise.all([revoke(owner, invitation.id), revoke(owner, invitation.id)]);
    expect(answers.map(codeIn).sort()).toEqual(['200 done', '404 NOT_FOUND']);
    expect(await look(invitation.token)).toBe('revoked');
    expect(await auditOf(owner.teamId)).toContain(`invitation.revoke ${invitation.email}`);
  });

  it('returns NOT_FOUND for an invitation of another team, and for a used one', async () => {
    const { invitation } = (await invite(owner)).body;
    expect(codeIn(await revoke(outsider, invitation.id))).toBe('404 NOT_FOUND');
    expect(codeIn(await revoke(await member(owner, 'member'), invitation.id))).toBe('403 FORBIDDEN');
    await acceptAsNew(invitation.token);
    expect(codeIn(await revoke(owner, invitation.id))).toBe('404 NOT_FOUND');
    expect(await look(invitation.token)).toBe('used');
  });
});

describe('resending an invitation', () => {
  it('creates a new link for an open or expired invitation, and invalidates the old one', async () => {
    const { invitation: old } = (await invite(owner, newEmail(), 'viewer')).body;
    await expire(old.id);
    const { invitation } = (await resend(owner, old.id)).body;
    expect(invitation).toMatchObject({ email: old.email, role: 'viewer' });
    expect([await look(old.token), await look(invitation.token)]).toEqual(['revoked', 'open']);
    expect(codeIn(await resend(owner, old.id))).toBe('404 NOT_FOUND');
    expect(codeIn(await resend(outsider, invitation.id))).toBe('404 NOT_FOUND');
    expect(codeIn(await resend(await member(owner, 'member'), invitation.id))).toBe('403 FORBIDDEN');
    expect(await auditOf(owner.teamId)).toContain(`invitation.resend ${old.email}`);
  });
});

describe('invitation mail', () => {
  it('contains the link, and is queued in the transaction of the invitation', async () => {
    const before = (await queued()).length;
    expect(codeIn(await invite(owner, owner.email))).toBe('400 ALREADY_MEMBER');
    expect(await queued()).toHaveLength(before);
    const { invitation } = (await invite(owner, newEmail(), 'viewer')).body;
    const job = (await queued()).at(-1);
    expect(unseal(job?.sealedToken ?? '')).toBe(invitation.token);
    await runMail(invitation.id);
    const [mail] = await db.undeliveredMail.findMany({ where: { to: invitation.email } });
    expect(mail?.subject).toContain('Robin invited you to');
    expect(mail?.text).toContain(`\n${invitation.url}\n`);
    expect(mail?.text).toContain('viewer');
  });

  it('is not sent if the invitation is used, revoked, expired or gone', async () => {
    const made = [];
    for (let at = 0; at < 4; at += 1) made.push((await invite(owner)).body.invitation);
    const [used, revoked, expired, gone] = made;
    await acceptAsNew(used.token);
    await revoke(owner, revoked.id);
    await expire(expired.id);
    await db.invitation.delete({ where: { id: gone.id } });
    for (const { id } of made) await runMail(id);
    expect(await db.undeliveredMail.count({ where: { to: { in: made.map(({ email }) => email) } } })).toBe(0);
  });
});
