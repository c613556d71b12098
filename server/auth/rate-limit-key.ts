/** The key-value entry of a caller's share of requests; whoever erases the caller deletes it. */
export function rateLimitKey(kind: 'key' | 'user' | 'address', id: string): string {
  return `rate:${kind}:${id}`;
}
