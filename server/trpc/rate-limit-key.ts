/** What a caller is known by: a key, a person, what a person reads in the dashboard, or the bucket of a network. */
type RateLimitKind = 'key' | 'user' | 'reads' | 'address' | 'pings';

/** The key-value entry of a caller's share of requests; whoever erases the caller deletes it. */
export function rateLimitKey(kind: RateLimitKind, id: string): string {
  return `rate:${kind}:${id}`;
}
