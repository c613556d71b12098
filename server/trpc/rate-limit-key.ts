/**
 * The kind of caller for rate limits: a key, a user, a user's dashboard reads, the callbacks of a channel, the reads of a calendar feed, or a
 * network.
 */
type RateLimitKind = 'key' | 'user' | 'reads' | 'address' | 'pings' | 'callbacks' | 'feeds';

/** The key-value entry of a caller's rate limit, which is deleted with the caller. */
export function rateLimitKey(kind: RateLimitKind, id: string): string {
  return `rate:${kind}:${id}`;
}
