import { z } from 'zod';
import { seal, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';
import { DAY_MS } from '@/server/time/schema';

const LIFE_MS = 7 * DAY_MS;

/** The content of a token. `purpose` distinguishes it from other sealed texts. */
const Claims = z.object({
  purpose: z.literal('confirm-recipient'),
  teamId: z.string(),
  address: z.string(),
  expiresAt: z.number(),
});

export interface Recipient {
  teamId: string;
  /** In lower case. */
  address: string;
}

/**
 * Creates a token with which its holder can confirm a recipient for a week. The token is sealed instead of stored, so the links of several mails
 * all work.
 */
export function newConfirmationToken({ teamId, address }: Recipient): string {
  const claims: z.infer<typeof Claims> = {
    purpose: 'confirm-recipient',
    teamId,
    address,
    expiresAt: Date.now() + LIFE_MS,
  };
  return seal(JSON.stringify(claims));
}

/**
 * Decrypts a token and returns its recipient.
 * @throws AppError NOT_FOUND (an invalid or expired token)
 */
export function readConfirmationToken(token: string): Recipient {
  const unknown = new AppError('NOT_FOUND', 'This link is no longer valid. Ask for a new confirmation email.');
  let claims: z.infer<typeof Claims>;
  try {
    claims = Claims.parse(JSON.parse(unseal(token)));
  } catch {
    throw unknown;
  }
  if (claims.expiresAt < Date.now()) throw unknown;
  return { teamId: claims.teamId, address: claims.address };
}

/** Returns the URL of the page on which the holder of a token confirms. */
export function confirmationUrl(token: string): string {
  return `${env.appUrl}/confirm-channel/${token}`;
}
