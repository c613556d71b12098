import { seal, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { kinds } from './kinds';
import { SummaryKind } from './schema';

export interface Subscriber {
  teamId: string;
  userId: string;
}

/** Creates a token that can end a member's mails of a kind. It never expires, so that links in old mails work. */
export function newUnsubscribeToken(kind: SummaryKind, { teamId, userId }: Subscriber): string {
  return seal([kinds[kind].purpose, teamId, userId].join(':'));
}

/**
 * Decrypts an unsubscribe token.
 * @throws AppError NOT_FOUND
 */
export function readUnsubscribeToken(token: string): Subscriber & { kind: SummaryKind } {
  try {
    const [purpose, teamId, userId] = unseal(token).split(':');
    const kind = SummaryKind.options.find((each) => kinds[each].purpose === purpose);
    if (kind && teamId && userId) return { kind, teamId, userId };
  } catch {
    // The token was altered, or sealed under another APP_SECRET.
  }
  throw noSubscription();
}

export function noSubscription(): AppError {
  return new AppError('NOT_FOUND', 'This link is no longer valid. Change your emails under Account.');
}

/** Returns the URLs for a mail: a page that asks for confirmation, and one for one-click requests of mail programs (RFC 8058). */
export function unsubscribeUrls(kind: SummaryKind, subscriber: Subscriber): { page: string; oneClick: string } {
  const token = newUnsubscribeToken(kind, subscriber);
  return { page: `${env.appUrl}/unsubscribe/${token}`, oneClick: `${env.appUrl}/api/unsubscribe/${token}` };
}
