import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { sendAccountMail } from '@/server/auth/send-account-mail';
import { db } from '@/server/platform/db';
import { newLink } from '@/tests/support/account-links';
import { rest, signUp } from '@/tests/support/rest';
import { runJob } from '@/tests/support/run-job';

const NEW_PASSWORD = 'another horse battery';

const logIn = (email: string, password: string) => rest('POST', '/auth/login', { body: { email, password } });
const reset = (token: string, newPassword = NEW_PASSWORD) =>
  rest('POST', '/auth/password-reset/confirm', { body: { token, newPassword } });
const me = (token: string) => rest('GET', '/dashboard/me', { token });

/** Runs the queued account mails. Without SMTP they are stored, and this reads them. */
async function mails(): Promise<{ to: string; subject: string; text: string }[]> {
  const jobs = await db.$queryRaw<{ payload: never }[]>`
    select payload from graphile_worker._private_jobs job
    join graphile_worker._private_tasks task on task.id = job.task_id
    where task.identifier = 'send-account-mail' order by job.id`;
  for (const { payload } of jobs) {
    await runJob(sendAccountMail, payload);
  }
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
  return db.undeliveredMail.findMany({ orderBy: { id: 'asc' } });
}

beforeEach(async () => {
  await db.$executeRaw`delete from graphile_worker._private_jobs`;
  await db.undeliveredMail.deleteMany();
});
afterAll(() => db.$executeRaw`delete from graphile_worker._private_jobs`);

describe('password reset', () => {
  it('sets a new password with the link in the mail, and ends every session', async () => {
    const { email, password, token: session } = await signUp();
    await rest('POST', '/auth/password-reset', { body: { email } });
    const [mail] = await mails();
    expect(mail).toMatchObject({ to: email });
    const token = /\/reset-password\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect((await reset(token)).body).toEqual({ ok: true, email });
    expect((await me(session)).status).toBe(401);
    expect((await logIn(email, password)).status).toBe(401);
    expect((await logIn(email, NEW_PASSWORD)).status).toBe(200);
    const subjects = (await mails()).map(({ subject }) => subject);
    expect(subjects).toContain('Your Upwatch password was reset');
  });

  it('answers the same for an address without an account, and sends no mail', async () => {
    const answer = await rest('POST', '/auth/password-reset', { body: { email: 'nobody@example.test' } });
    expect([answer.status, answer.body]).toEqual([200, { ok: true }]);
    expect(await mails()).toEqual([]);
  });

  it('sends at most five valid links', async () => {
    const { email } = await signUp();
    await Promise.all(Array.from({ length: 8 }, () => rest('POST', '/auth/password-reset', { body: { email } })));
    expect(await mails()).toHaveLength(5);
  });

  it('rejects a link that was used, expired or made for something else', async () => {
    const { userId, email } = await signUp();
    const used = await newLink({ userId, purpose: 'password_reset' });
    expect((await reset(used)).status).toBe(200);
    const expired = await newLink({ userId, purpose: 'password_reset' });
    await db.accountLink.updateMany({ where: { userId }, data: { expiresAt: new Date(Date.now() - 1) } });
    const other = await newLink({ userId, purpose: 'email_change', email: `x-${email}` });
    for (const token of [used, expired, other, 'nonsense']) {
      const { status, body } = await reset(token);
      expect([status, body.error.issues[0].path]).toEqual([400, 'token']);
    }
  });

  it('succeeds for one of two requests with one link', async () => {
    const { userId } = await signUp();
    const token = await newLink({ userId, purpose: 'password_reset' });
    const answers = await Promise.all([reset(token), reset(token, 'yet another battery')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  });
});

describe('common passwords', () => {
  it.each(['password1234', 'PASSWORD1234', 'password1234!!', 'qwertyuiop'])(
    'rejects the common password %s',
    async (password) => {
      const email = `common-${password.length}@example.test`;
      const answer = await rest('POST', '/auth/signup', { body: { email, password } });
      expect(answer.body.error).toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: 'password' }] });
    },
  );

  it('rejects common passwords wherever a password is chosen', async () => {
    const { userId, token, password } = await signUp();
    const link = await newLink({ userId, purpose: 'password_reset' });
    const body = { currentPassword: password, newPassword: 'password1234' };
    const answers = [await reset(link, 'password1234'), await rest('POST', '/dashboard/me/password', { token, body })];
    for (const answer of answers) expect(answer.body.error.issues[0].path).toBe('newPassword');
    expect((await reset(link)).status).toBe(200);
  });
});

describe('PATCH /dashboard/me', () => {
  it('changes name and time zone separately', async () => {
    const { token } = await signUp('Ada');
    const change = (body: unknown) => rest('PATCH', '/dashboard/me', { token, body });
    expect((await change({ timeZone: 'Asia/Tokyo' })).body.user).toMatchObject({ name: 'Ada', timeZone: 'Asia/Tokyo' });
    expect((await change({ name: ' Ada L ' })).body.user).toMatchObject({ name: 'Ada L', timeZone: 'Asia/Tokyo' });
    expect((await change({ name: '', timeZone: null })).body.user).toMatchObject({ name: null, timeZone: null });
    expect((await change({})).status).toBe(400);
    expect((await change({ timeZone: 'Mars/Olympus' })).body.error.issues[0].path).toBe('timeZone');
  });
});

describe('changing the email address', () => {
  const ask = (token: string, email: string, currentPassword = 'correct horse battery') =>
    rest('POST', '/dashboard/me/email', { token, body: { email, currentPassword } });
  const confirm = (token: string) => rest('POST', '/auth/email/confirm', { body: { token } });

  it('takes effect when the new address confirms it, and notifies the old one', async () => {
    const { token, email, password } = await signUp();
    const next = `new-${email}`;
    expect((await ask(token, next)).status).toBe(200);
    const [mail] = await mails();
    expect(mail?.to).toBe(next);
    expect((await me(token)).body.user.email).toBe(email);
    const link = /\/confirm-email\/(\S+)/.exec(mail?.text ?? '')?.[1] ?? '';
    expect((await confirm(link)).body).toEqual({ ok: true, email: next });
    expect((await me(token)).body.user.email).toBe(next);
    expect((await logIn(next, password)).status).toBe(200);
    expect((await mails()).map(({ to }) => to)).toEqual([next, email]);
    expect((await confirm(link)).status).toBe(400);
  });

  it('requires the current password and another address', async () => {
    const { token, email } = await signUp();
    const wrong = await ask(token, `new-${email}`, 'a wrong password');
    expect(wrong.body.error.issues[0].path).toBe('currentPassword');
    expect((await ask(token, email)).body.error.issues[0].path).toBe('email');
  });

  it('is rejected if another account has taken the address meanwhile', async () => {
    const { userId, token, email } = await signUp();
    const taken = await signUp();
    const link = await newLink({ userId, purpose: 'email_change', email: taken.email });
    expect((await confirm(link)).body.error.code).toBe('ACCOUNT_EXISTS');
    expect((await me(token)).body.user.email).toBe(email);
  });
});

describe('sessions', () => {
  it('lists active sessions and ends any of them', async () => {
    const { token, email, password } = await signUp();
    const { body: other } = await logIn(email, password);
    const list = async () => (await rest('GET', '/dashboard/me/sessions', { token })).body.sessions;
    const sessions = await list();
    expect(sessions.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent).sort()).toEqual([false, true]);
    const { id } = sessions.find(({ isCurrent }: { isCurrent: boolean }) => !isCurrent);
    const end = () => rest('DELETE', `/dashboard/me/sessions/${id}`, { token });
    expect((await end()).status).toBe(200);
    expect((await end()).status).toBe(404);
    expect((await me(other.accessToken)).status).toBe(401);
    expect(await list()).toHaveLength(1);
  });

  it('returns NOT_FOUND for a session of another user', async () => {
    const [person, outsider] = [await signUp(), await signUp()];
    const { body } = await rest('GET', '/dashboard/me/sessions', { token: outsider.token });
    const path = `/dashboard/me/sessions/${body.sessions[0].id}`;
    expect((await rest('DELETE', path, { token: person.token })).status).toBe(404);
    expect((await me(outsider.token)).status).toBe(200);
  });

  it('ends all sessions but the current one', async () => {
    const { token, email, password } = await signUp();
    for (let count = 0; count < 3; count += 1) await logIn(email, password);
    const ended = await rest('POST', '/dashboard/me/sessions/end-others', { token });
    expect(ended.body).toEqual({ ended: 3 });
    expect((await me(token)).status).toBe(200);
  });
});
