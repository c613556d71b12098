import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { notifyAccess } from '@/server/platform/listen';
import { sendAccountMail } from './send-account-mail';

/**
 * Gives an account another password without asking for the present one: every session ends, every link to reset it stops
 * working, and the person is told by mail.
 * @returns the account's address
 */
export async function setPassword(tx: Tx, userId: string, passwordHash: string): Promise<string> {
  const { email } = await tx.user.update({
    where: { id: userId },
    data: { passwordHash, sessionVersion: { increment: 1 } },
  });
  await tx.accountLink.deleteMany({ where: { userId, purpose: 'password_reset' } });
  await tx.session.updateMany({ where: { userId, revokedAt: null }, data: { revokedAt: new Date() } });
  await notifyAccess(tx, [userId]);
  await enqueue(tx, sendAccountMail, { kind: 'password_changed', id: newId(), userId });
  return email;
}
