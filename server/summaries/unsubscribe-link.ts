import { seal, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';

/** Keeps tokens for other purposes, which are sealed with the same key, from being accepted. */
const PURPOSE = 'unsubscribe-summary';

export interface Subscriber {
  teamId: string;
  userId: string;
}

/** Creates a token that can end a member's summaries of a team. It never expires, so that links in old mails work. */
export function newUnsubscribeToken({ teamId, userId }: Subscriber): string {
  return seal([PURPOSE, teamId, userId].join(':'));
}

/**
 * Decrypts an unsubscribe token.
 * @throws AppError NOT_FOUND
 */
export function readUnsubscribeToken(token: string): Subscriber {
  try {
    const [purpose, teamId, userId] = unseal(token).split(':');
    if (purpose === PURPOSE && teamId && userId) return { teamId, userId };
  } catch {
    // The token was altered, or sealed under another APP_SECRET.
  }
  throw noSubscription();
}

export function noSubscription(): AppError {
  return new AppError('NOT_FOUND', 'This link is no longer valid. Change your summaries under Account.');
}

/** Returns the URLs for a mail: a page that asks for confirmation, and one for one-click requests of mail programs (RFC 8058). */
export function unsubscribeUrls(subscriber: Subscriber): { page: string; oneClick: string } {
  const token = newUnsubscribeToken(subscriber);
  return { page: `${env.appUrl}/unsubscribe/${token}`, oneClick: `${env.appUrl}/api/unsubscribe/${token}` };
}
