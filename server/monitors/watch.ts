/** The part of a config every check has, secrets aside. */
interface Timed {
  timeoutMs?: number;
}

/**
 * How long a monitor counts as being watched after a check began, in milliseconds: two intervals and one timeout. What
 * is later was seen by nobody, so its status is unknown.
 */
export function watchedForMs(intervalSeconds: number, timeoutMs: number): number {
  return 2 * intervalSeconds * 1000 + timeoutMs;
}

/** Until when the last check of a monitor still speaks for it; null where there was none. */
export function knownUntil(
  { intervalSeconds, config }: { intervalSeconds: number; config: unknown },
  lastCheckedAt: Date | null,
): Date | null {
  const { timeoutMs = 10_000 } = config as Timed;
  return lastCheckedAt && new Date(lastCheckedAt.getTime() + watchedForMs(intervalSeconds, timeoutMs));
}
