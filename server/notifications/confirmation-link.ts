import { z } from 'zod';
import { seal, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { AppError } from '@/server/platform/errors';

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;

/** What a link confirms. The purpose keeps other sealed texts from being taken for one. */
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

/** A token that lets its holder confirm a recipient for a week. It is sealed, not stored: links of several mails all work. */
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
 * What a token confirms.
 * @throws AppError NOT_FOUND (no such token, or it has expired)
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

/** The page that a link leads to. */
export function confirmationUrl(token: string): string {
  return `${env.appUrl}/confirm-channel/${token}`;
}
