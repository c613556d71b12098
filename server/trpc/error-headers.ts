import type { AppError } from '@/server/platform/errors';

/** Puts on the answer what an error says about its caller's next try. */
export function setErrorHeaders({ retryAfterSeconds, limit }: AppError, headers: Headers): void {
  if (retryAfterSeconds === undefined) return;
  headers.set('retry-after', String(retryAfterSeconds));
  if (limit === undefined) return;
  headers.set('ratelimit-limit', String(limit));
  headers.set('ratelimit-remaining', '0');
  headers.set('ratelimit-reset', String(retryAfterSeconds));
}
