import { describe, expect, it, vi } from 'vitest';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { assertMailQuota, returnAlertQuota, takeAlertQuota } from '@/server/platform/mail/quota';
import { codeIn, invite, newEmail } from '@/tests/integration/teams/support';
import { keepTestsInOneDay } from '@/tests/support/one-day';
import { rest, signUp } from '@/tests/support/rest';

// Set before the server reads its settings: limits that a test can reach.
vi.hoisted(() => {
  process.env.AUTH_RATE_LIMIT_PER_MINUTE = '0';
  process.env.RATE_LIMIT_PER_MINUTE = '0';
  process.env.MAIL_PER_TEAM_PER_DAY = '12';
  process.env.MAIL_PER_ADDRESS_PER_DAY = '5';
});

keepTestsInOneDay();

const codes = (answers: { status: number; body: unknown }[]) => answers.map((each) => codeIn(each as never));
const countOf = (all: string[], code: string) => all.filter((each) => each === code).length;
const jobs = () => db.$queryRaw<unknown[]>`select 1 from graphile_worker._private_jobs`;

describe('daily mail limits', () => {
  it('cap a team exactly, however many invitations are created at once', async () => {
    const owner = await signUp();
    const before = (await jobs()).length;
    const answers = await Promise.all(Array.from({ length: 40 }, () => invite(owner)));
    expect(countOf(codes(answers), '201 done')).toBe(12);
    expect(countOf(codes(answers), '429 RATE_LIMITED')).toBe(28);
    expect(await db.invitation.count({ where: { teamId: owner.teamId } })).toBe(12);
    expect((await jobs()).length - before).toBe(12);
    const refused = answers.find(({ status }) => status === 429);
    expect(refused?.body.error.message).toMatch(/^Your team has sent 12 emails today\. Try again in \d+ h\.$/);
    expect(Number(refused?.headers.get('retry-after'))).toBeLessThanOrEqual(86_400);
    expect(codeIn(await invite(await signUp()))).toBe('201 done');
  });

  it('cap a mailbox across teams, whatever follows a plus sign in the address', async () => {
    const name = newEmail().toLowerCase().split('@')[0];
    const answers = [];
    for (let team = 0; team < 7; team += 1) {
      const owner = await signUp();
      const email = team % 2 === 0 ? `${name}@example.test` : `${name}+${team}@Example.test`;
      answers.push(await invite(owner, email));
    }
    expect(codes(answers)).toEqual([...Array(5).fill('201 done'), ...Array(2).fill('429 RATE_LIMITED')]);
    expect(answers[6]?.body.error.message).toContain('has received 5 emails today');
  });

  it('count an invitation that is sent again, and nothing that was rejected', async () => {
    const owner = await signUp();
    const { body } = await invite(owner);
    let { id } = body.invitation;
    const resend = async () => {
      const answer = await rest('POST', `/dashboard/team/invitations/${id}/resend`, { token: owner.token });
      id = answer.body.invitation?.id ?? id;
      return codeIn(answer);
    };
    for (let sent = 1; sent < 5; sent += 1) expect(await resend()).toBe('200 done');
    for (let more = 0; more < 3; more += 1) expect(await resend()).toBe('429 RATE_LIMITED');
    const { sent } = await db.mailQuota.findFirstOrThrow({ where: { key: `team:${owner.teamId}` } });
    expect(sent).toBe(5);
    // The link of the last mail still works: the refused request revoked nothing.
    expect(await db.invitation.count({ where: { id, revokedAt: null } })).toBe(1);
  });

  it('reset on the next day', async () => {
    const sending = { by: { teamId: newId() }, to: newEmail() };
    const take = () => db.$transaction((tx) => assertMailQuota(tx, sending));
    for (let sent = 0; sent < 5; sent += 1) await take();
    await expect(take()).rejects.toMatchObject({ code: 'RATE_LIMITED' });
    await db.$executeRaw`update mail_quotas set day = day - 1`;
    await expect(take()).resolves.toBeUndefined();
  });

  it("cap a user's address changes and password reset links", async () => {
    const person = await signUp();
    const change = (email: string) =>
      rest('POST', '/dashboard/me/email', {
        token: person.token,
        body: { email, currentPassword: person.password },
      });
    const victim = newEmail().toLowerCase();
    const answers = [];
    for (let asked = 0; asked < 6; asked += 1) {
      await db.accountLink.deleteMany({});
      answers.push(await change(victim));
    }
    expect(codes(answers)).toEqual([...Array(5).fill('200 done'), '429 RATE_LIMITED']);
    const before = (await jobs()).length;
    for (let asked = 0; asked < 25; asked += 1) {
      await db.accountLink.deleteMany({});
      const answer = await rest('POST', '/auth/password-reset', { body: { email: person.email } });
      expect(codeIn(answer)).toBe('200 done');
    }
    expect((await jobs()).length - before).toBe(20);
  });
});

describe('alerts to an unconfirmed address', () => {
  it('caps alerts to an unconfirmed address exactly under concurrency, and does not count an unsent alert', async () => {
    const to = newEmail();
    const taken = await Promise.all(Array.from({ length: 230 }, () => takeAlertQuota(db, to)));
    expect(taken.filter((wait) => wait === null)).toHaveLength(200);
    await returnAlertQuota(db, to);
    expect([await takeAlertQuota(db, to), await takeAlertQuota(db, to)]).toEqual([null, expect.any(Number)]);
  });
});
