import type { AppError } from '@/server/platform/errors';

/** Sets the response headers that tell clients when to retry. */
export function setErrorHeaders({ retryAfterSeconds, limit }: AppError, headers: Headers): void {
  if (retryAfterSeconds === undefined) return;
  headers.set('retry-after', String(retryAfterSeconds));
  if (limit === undefined) return;
  headers.set('ratelimit-limit', String(limit));
  headers.set('ratelimit-remaining', '0');
  headers.set('ratelimit-reset', String(retryAfterSeconds));
}
