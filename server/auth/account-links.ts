import { randomToken, sha256 } from '@/server/platform/crypto';
import type { Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError, invalidField } from '@/server/platform/errors';
import type { AccountLinkPurpose } from '@/server/platform/generated/prisma/enums';
import { lockUser } from '@/server/platform/locks';

const LIFE_MS = 60 * 60 * 1000;
/** One that an administrator hands over takes longer to reach the person. */
const HANDED_OVER_LIFE_MS = 24 * LIFE_MS;
/** More requests make no more links: whoever asks on another's behalf cannot fill their mailbox. */
const MOST_LIVE = 5;

const PATHS: Record<AccountLinkPurpose, string> = {
  password_reset: 'reset-password',
  email_change: 'confirm-email',
};

export interface IssuedLink {
  token: string;
  url: string;
  expiresAt: Date;
}

/** The page that a link leads to. */
export function accountLinkUrl(purpose: AccountLinkPurpose, token: string): string {
  return `${env.appUrl}/${PATHS[purpose]}/${token}`;
}

/**
 * Makes a link for an administrator to hand over: a new password can be set with it once, within a day. Earlier links to
 * reset the password stop working, so that at most one is in other hands.
 * @throws AppError NOT_FOUND
 */
export async function issueHandedOverLink(tx: Tx, userId: string): Promise<IssuedLink> {
  const purpose = 'password_reset';
  if (!(await lockUser(tx, userId))) throw new AppError('NOT_FOUND', 'There is no such user.');
  await tx.accountLink.deleteMany({ where: { userId, purpose } });
  return createLink(tx, { userId, purpose, lifeMs: HANDED_OVER_LIFE_MS });
}

async function createLink(
  tx: Tx,
  { lifeMs, ...link }: { userId: string; purpose: AccountLinkPurpose; email?: string | null; lifeMs: number },
): Promise<IssuedLink> {
  const token = randomToken();
  const expiresAt = new Date(Date.now() + lifeMs);
  await tx.accountLink.create({ data: { ...link, tokenHash: sha256(token), expiresAt } });
  return { token, url: accountLinkUrl(link.purpose, token), expiresAt };
}

/** Makes a link that works once, within an hour; null where the account has five that still work. */
export async function issueLink(
  tx: Tx,
  { userId, purpose, email = null }: { userId: string; purpose: AccountLinkPurpose; email?: string | null },
): Promise<IssuedLink | null> {
  await lockUser(tx, userId);
  const live = await tx.accountLink.count({ where: { userId, purpose, expiresAt: { gt: new Date() } } });
  if (live >= MOST_LIVE) return null;
  return createLink(tx, { userId, purpose, email, lifeMs: LIFE_MS });
}

/**
 * Uses a link up. Of two requests with one link, the delete of one finds it.
 * @throws AppError VALIDATION_ERROR at `token`
 */
export async function takeLink(
  tx: Tx,
  { token, purpose }: { token: string; purpose: AccountLinkPurpose },
): Promise<{ userId: string; email: string | null }> {
  const tokenHash = sha256(token);
  const link = await tx.accountLink.findUnique({ where: { tokenHash } });
  const { count } = await tx.accountLink.deleteMany({ where: { tokenHash, purpose, expiresAt: { gt: new Date() } } });
  if (!link || count === 0)
    throw invalidField('token', 'This link has expired or has already been used. Request a new one.');
  return link;
}
