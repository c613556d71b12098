import { randomToken, seal, sha256, unseal } from '@/server/platform/crypto';
import { env } from '@/server/platform/env';
import { invalidField } from '@/server/platform/errors';

interface StoredToken {
  pingToken: string;
  pingTokenHash: string;
}

/** Returns a heartbeat's token as stored: encrypted, and as a hash for lookup. */
export function sealPingToken(token: string): StoredToken {
  return { pingToken: seal(token), pingTokenHash: sha256(token) };
}

/** Generates the token of a new heartbeat. */
export const newPingToken = (): StoredToken => sealPingToken(randomToken());

/** Returns the ping URL of a heartbeat; null for other types, or if the token was encrypted under another APP_SECRET. */
export function pingUrlOf({ pingToken }: { pingToken: string | null }): string | null {
  if (pingToken === null) return null;
  try {
    return `${env.appUrl}/api/heartbeat/${unseal(pingToken)}`;
  } catch {
    return null;
  }
}

/**
 * Returns a config without a heartbeat's URL, which the server assigns and which may only be sent back unchanged.
 * @throws AppError VALIDATION_ERROR for another URL
 */
export function withoutPingUrl(config: object, present: string | null): object {
  const { pingUrl, ...rest } = { pingUrl: undefined, ...config };
  if (pingUrl === undefined || pingUrl === present) return rest;
  throw invalidField('config.pingUrl', 'This URL is assigned by the server. Omit it.');
}
