import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { beforeAll, expect, it } from 'vitest';
import { db } from '@/server/platform/db';
import { type Person, rest, signUp } from '@/tests/support/rest';

let admin: Person;
beforeAll(async () => {
  admin = await signUp('Ada');
});

const issue = (by: Person, userId: string) =>
  rest('POST', `/admin/users/${userId}/password-reset`, { token: by.token });
const reset = (url: string, newPassword = 'another horse battery') =>
  rest('POST', '/auth/password-reset/confirm', { body: { token: url.split('/').at(-1), newPassword } });
const logIn = ({ email }: Person, password: string) => rest('POST', '/auth/login', { body: { email, password } });

it('gives an administrator a link that sets a new password once and ends every session', async () => {
  const person = await signUp();
  const { status, body } = await issue(admin, person.userId);
  expect(status).toBe(201);
  expect(body.link.url).toMatch(/\/reset-password\/[\w-]{20,}$/);
  const hours = (Date.parse(body.link.expiresAt) - Date.now()) / 3_600_000;
  expect(hours).toBeGreaterThan(23.9);
  expect(hours).toBeLessThanOrEqual(24);
  const answers = await Promise.all([reset(body.link.url), reset(body.link.url, 'a third horse battery')]);
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 400]);
  expect((await rest('GET', '/dashboard/me', { token: person.token })).status).toBe(401);
  const winner = answers[0].status === 200 ? 'another horse battery' : 'a third horse battery';
  expect((await logIn(person, winner)).status).toBe(200);
});

it('invalidates the earlier link', async () => {
  const person = await signUp();
  const first = (await issue(admin, person.userId)).body.link.url;
  const second = (await issue(admin, person.userId)).body.link.url;
  expect((await reset(first)).body.error.issues[0].path).toBe('token');
  expect((await reset(second)).status).toBe(200);
});

it('keeps the link out of the audit log, which names the account', async () => {
  const person = await signUp();
  const { url } = (await issue(admin, person.userId)).body.link;
  const where = { action: 'user.password_reset_link', targetId: person.userId };
  const entry = await db.auditEntry.findFirstOrThrow({ where });
  expect(entry).toMatchObject({ teamId: null, actorId: admin.userId, targetName: person.email });
  expect(JSON.stringify(entry)).not.toContain(url.split('/').at(-1));
});

it('rejects callers who are not administrators, and unknown accounts', async () => {
  const person = await signUp();
  expect((await issue(person, person.userId)).body.error.code).toBe('FORBIDDEN');
  expect((await issue(admin, '01ARZ3NDEKTSV4RRFFQ69G5FAV')).body.error.code).toBe('NOT_FOUND');
});

it('expires after a day', async () => {
  const person = await signUp();
  const { url } = (await issue(admin, person.userId)).body.link;
  await db.accountLink.updateMany({ where: { userId: person.userId }, data: { expiresAt: new Date(Date.now() - 1) } });
  expect((await reset(url)).status).toBe(400);
});

/** Runs the admin command on this test's database. */
async function runAdmin(args: string[], input = '') {
  const child = spawn(process.execPath, ['scripts/admin.mjs', ...args], { env: process.env });
  child.stdin.end(input);
  const code = new Promise((resolve) => child.once('close', resolve));
  const [out, error] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { out, error, code: await code };
}

it('prints a link for an operator on the command line', async () => {
  const person = await signUp();
  const { out, error, code } = await runAdmin(['reset-password', person.email.toUpperCase()]);
  expect({ error, code }).toEqual({ error: '', code: 0 });
  const [said, url = ''] = out.trim().split('\n');
  expect(said).toContain(`${person.email} can choose a new password once, until `);
  expect((await reset(url)).status).toBe(200);
  const where = { action: 'user.password_reset_link', targetId: person.userId };
  expect(await db.auditEntry.findFirstOrThrow({ where })).toMatchObject({ actorKind: 'system', teamId: null });
});

it('sets a password from standard input, and ends the sessions', async () => {
  const person = await signUp();
  const args = ['reset-password', person.email, '--password-stdin'];
  expect(await runAdmin(args, 'password1234\n')).toMatchObject({
    code: 1,
    error: expect.stringContaining('too common'),
  });
  expect(await runAdmin(args, 'short\n')).toMatchObject({ code: 1, error: expect.stringContaining('10 to 200') });
  const { code, out } = await runAdmin(args, 'another horse battery\n');
  expect([code, out]).toEqual([0, `The password of ${person.email} is set, and all of its sessions are signed out.\n`]);
  expect((await rest('GET', '/dashboard/me', { token: person.token })).status).toBe(401);
  expect((await logIn(person, 'another horse battery')).status).toBe(200);
}, 60_000);

it.each([
  [['reset-password', 'nobody@example.test'], 'There is no account with the email address nobody@example.test.'],
  [['reset-password'], 'Usage: npm run admin -- reset-password'],
  [['delete-everything'], 'Usage: npm run admin -- reset-password'],
  [['reset-password', 'a@b.test', '--force'], 'Usage: npm run admin -- reset-password'],
])('rejects %j in one line', async (args, says) => {
  const { error, code } = await runAdmin(args);
  expect([code, error.trim().split('\n').length]).toEqual([1, 1]);
  expect(error).toContain(says);
});
