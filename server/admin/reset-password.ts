import { z } from 'zod';
import { recordAudit } from '@/server/audit/record-audit';
import { issueHandedOverLink } from '@/server/auth/account-links';
import { hashNewPassword } from '@/server/auth/passwords';
import { Email, NewPassword } from '@/server/auth/schema';
import { setPassword } from '@/server/auth/set-password';
import { db } from '@/server/platform/db';
import { AppError, invalidField } from '@/server/platform/errors';

const REASON = 'admin reset-password, at the machine';

async function findUser(address: string): Promise<{ id: string; email: string }> {
  const email = Email.safeParse(address).data;
  const user = email && (await db.user.findUnique({ where: { email }, select: { id: true, email: true } }));
  if (!user) throw new AppError('NOT_FOUND', `There is no account with the email address ${address}.`);
  return user;
}

/**
 * Creates a password reset link, valid once within a day. For an operator on the server, who needs no account.
 * @throws AppError NOT_FOUND
 */
export async function createResetLink(address: string): Promise<{ email: string; url: string; expiresAt: Date }> {
  const { id, email } = await findUser(address);
  return db.$transaction(async (tx) => {
    const { url, expiresAt } = await issueHandedOverLink(tx, id);
    const target = { type: 'user', id, name: email };
    await recordAudit(tx, 'system', { teamId: null, action: 'user.password_reset_link', target, reason: REASON });
    return { email, url, expiresAt };
  });
}

/**
 * Sets a password at once and ends every session of the account.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (too short or too long, a common password)
 */
export async function setPasswordOf(address: string, password: string): Promise<{ email: string }> {
  const { id, email } = await findUser(address);
  const fault = NewPassword.safeParse(password).error;
  if (fault) throw invalidField('password', z.flattenError(fault).formErrors[0] ?? 'This password cannot be used.');
  const passwordHash = await hashNewPassword(password, 'password');
  await db.$transaction(async (tx) => {
    await setPassword(tx, id, passwordHash);
    const target = { type: 'user', id, name: email };
    await recordAudit(tx, 'system', { teamId: null, action: 'user.password_reset', target, reason: REASON });
  });
  return { email };
}
