import { sha256 } from '../crypto';
import type { Db, Tx } from '../db';
import { env } from '../env';
import { rateLimited } from '../errors';

const DAY_SECONDS = 24 * 60 * 60;
/** The maximum number of password reset links per day and address, counted separately from other mail. */
const RESETS_PER_DAY = 20;
/** The maximum number of alerts per day to a member's unconfirmed address. Confirming removes the limit. */
const UNCONFIRMED_ALERTS_PER_DAY = 200;

/** A mail caused by a user: sender and recipient. */
export interface Sending {
  by: { teamId: string } | { userId: string };
  to: string;
}

/** Returns a hash of the mailbox that an address belongs to. A plus suffix belongs to the same mailbox. */
function mailboxOf(address: string): string {
  return sha256(address.toLowerCase().replace(/^([^@+]+)\+[^@]*@/, '$1@'));
}

function secondsLeft(): number {
  return DAY_SECONDS - (Math.floor(Date.now() / 1000) % DAY_SECONDS);
}

/** Returns the current day in UTC, as a date column stores it. */
function today(): Date {
  return new Date(new Date().setUTCHours(0, 0, 0, 0));
}

/**
 * Counts one mail under `key` for today (UTC), unless `cap` is reached (0: unlimited). Of concurrent callers, no more than `cap` succeed.
 * @returns whether it was counted
 */
async function take(db: Db, key: string, cap: number): Promise<boolean> {
  if (cap === 0) return true;
  const day = today();
  const added = await db.mailQuota.createMany({ data: [{ key, day, sent: 1 }], skipDuplicates: true });
  if (added.count === 1) return true;
  const counted = await db.mailQuota.updateMany({
    where: { key, day, sent: { lt: cap } },
    data: { sent: { increment: 1 } },
  });
  return counted.count === 1;
}

const senderKey = ({ by }: Sending) => ('teamId' in by ? `team:${by.teamId}` : `user:${by.userId}`);

/** Counts a mail for its sender and its recipient, and returns null; or returns why it may not be sent today. */
async function refusalOf(tx: Tx, sending: Sending): Promise<{ message: string; limit: number } | null> {
  const { mailPerTeamPerDay: perSender, mailPerAddressPerDay: perAddress } = env;
  if (!(await take(tx, senderKey(sending), perSender))) {
    const who = 'teamId' in sending.by ? 'Your team has' : 'You have';
    return { message: `${who} sent ${perSender} emails today`, limit: perSender };
  }
  if (!(await take(tx, `address:${mailboxOf(sending.to)}`, perAddress))) {
    return { message: `${sending.to} has received ${perAddress} emails today`, limit: perAddress };
  }
  return null;
}

/**
 * Counts a mail for its sender and its recipient, in the caller's transaction.
 * @returns false if it may not be sent today
 */
export async function takeMailQuota(tx: Tx, sending: Sending): Promise<boolean> {
  return (await refusalOf(tx, sending)) === null;
}

/**
 * Like `takeMailQuota`, for a mail that the request cannot do without.
 * @throws AppError RATE_LIMITED; the transaction must not be committed
 */
export async function assertMailQuota(tx: Tx, sending: Sending): Promise<void> {
  const refusal = await refusalOf(tx, sending);
  if (!refusal) return;
  const resetSeconds = secondsLeft();
  const hours = Math.ceil(resetSeconds / 3600);
  throw rateLimited(`${refusal.message}. Try again in ${hours} h.`, { limit: refusal.limit, resetSeconds });
}

/**
 * Counts a link to reset a password, mailed to this address.
 * @returns false if it may not be sent today
 */
export function takeResetQuota(tx: Tx, to: string): Promise<boolean> {
  return take(tx, `reset:${mailboxOf(to)}`, RESETS_PER_DAY);
}

/** Counts an alert to an unconfirmed address and returns null, or returns the seconds until it may receive alerts again. */
export async function takeAlertQuota(db: Db, to: string): Promise<number | null> {
  return (await take(db, `alerts:${mailboxOf(to)}`, UNCONFIRMED_ALERTS_PER_DAY)) ? null : secondsLeft();
}

/** Reverts a `takeAlertQuota` for an alert that was not sent. */
export async function returnAlertQuota(db: Db, to: string): Promise<void> {
  const key = `alerts:${mailboxOf(to)}`;
  await db.mailQuota.updateMany({ where: { key, day: today(), sent: { gt: 0 } }, data: { sent: { decrement: 1 } } });
}
