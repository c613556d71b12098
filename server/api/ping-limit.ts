import { rateLimited } from '@/server/platform/errors';

/** Far above what a job needs (a start and an end every second), far below a harmful rate. */
const PINGS_PER_MINUTE = 120;
const WINDOW_MS = 60_000;

/**
 * Counts the pings of each heartbeat in this process, so that a runaway job costs no statement. A token is counted once it is known to belong to a
 * heartbeat, so anonymous clients cannot fill the memory.
 */
export class PingLimit {
  private readonly counts = new Map<string, number>();
  private endsAt = 0;

  get size(): number {
    return this.counts.size;
  }

  /** @throws AppError RATE_LIMITED */
  assertBelow(token: string, now = performance.now()): void {
    if (now >= this.endsAt) {
      this.counts.clear();
      this.endsAt = now + WINDOW_MS;
    }
    if ((this.counts.get(token) ?? 0) < PINGS_PER_MINUTE) return;
    const resetSeconds = Math.max(1, Math.ceil((this.endsAt - now) / 1000));
    throw rateLimited(`More than ${PINGS_PER_MINUTE} pings per minute.`, { limit: PINGS_PER_MINUTE, resetSeconds });
  }

  /** Counts a ping that a heartbeat accepted. */
  add(token: string): void {
    this.counts.set(token, (this.counts.get(token) ?? 0) + 1);
  }
}
