import { randomToken, sha256 } from '@/server/platform/crypto';
import type { Tx } from '@/server/platform/db';
import { env } from '@/server/platform/env';
import { AppError, invalidField } from '@/server/platform/errors';
import type { AccountLinkPurpose } from '@/server/platform/generated/prisma/enums';
import { lockUser } from '@/server/platform/locks';

const LIFE_MS = 60 * 60 * 1000;
/** A link created by an administrator is valid longer, because it is passed on by hand. */
const HANDED_OVER_LIFE_MS = 24 * LIFE_MS;
/** The maximum number of valid links per account, so that requests cannot flood a mailbox. */
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

/** Returns the URL of a link. */
export function accountLinkUrl(purpose: AccountLinkPurpose, token: string): string {
  return `${env.appUrl}/${PATHS[purpose]}/${token}`;
}

/**
 * Creates a password reset link for an administrator to pass on, valid once within a day. Earlier reset links stop working.
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

/** Creates a link that is valid once within an hour; null if the account has five valid links. */
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
 * Consumes a link. Of two concurrent requests, one succeeds.
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
