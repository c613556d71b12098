import { randomToken, seal, sha256, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { invalidField } from '@/server/platform/errors';

/** A new heartbeat's token: sealed, and the hash to find it by. */
export function newPingToken(): { pingToken: string; pingTokenHash: string } {
  const token = randomToken();
  return { pingToken: seal(token), pingTokenHash: sha256(token) };
}

/** Where a heartbeat is pinged; null for what is none, or where the token was sealed under another APP_SECRET. */
export function pingUrlOf({ pingToken }: { pingToken: string | null }): string | null {
  if (pingToken === null) return null;
  try {
    return `${env.appUrl}/api/heartbeat/${unseal(pingToken)}`;
  } catch {
    return null;
  }
}

/**
 * A config without a heartbeat's address, which the server gives: it may be sent back as it was, and as nothing else.
 * @throws AppError VALIDATION_ERROR
 */
export function withoutPingUrl(config: object, present: string | null): object {
  const { pingUrl, ...rest } = { pingUrl: undefined, ...config };
  if (pingUrl === undefined || pingUrl === present) return rest;
  throw invalidField('config.pingUrl', 'This URL is assigned by the server. Omit it.');
}
