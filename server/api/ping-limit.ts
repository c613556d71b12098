import { rateLimited } from '@/server/platform/errors';

/** Far above what any job needs (a start and an end every second), far below what hurts. */
const PINGS_PER_MINUTE = 120;
const WINDOW_MS = 60_000;
const MOST_KEPT = 100_000;

/** Counts pings per token in this process: one that runs wild costs no statement. */
export class PingLimit {
  private readonly counts = new Map<string, number>();
  private endsAt = 0;

  /** @throws AppError RATE_LIMITED */
  take(token: string, now = Date.now()): void {
    if (now >= this.endsAt || this.counts.size > MOST_KEPT) {
      this.counts.clear();
      this.endsAt = now + WINDOW_MS;
    }
    const count = (this.counts.get(token) ?? 0) + 1;
    this.counts.set(token, count);
    if (count <= PINGS_PER_MINUTE) return;
    const resetSeconds = Math.max(1, Math.ceil((this.endsAt - now) / 1000));
    throw rateLimited(`More than ${PINGS_PER_MINUTE} pings in a minute.`, { limit: PINGS_PER_MINUTE, resetSeconds });
  }
}
