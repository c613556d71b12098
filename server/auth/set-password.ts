import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { enqueue } from '@/server/platform/jobs';
import { notifyAccess } from '@/server/platform/listen';
import { sendAccountMail } from './send-account-mail';

/**
 * Sets the password of an account without its current one. Ends all its sessions, invalidates reset links and notifies the user by email.
 * @returns the email address of the account
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
