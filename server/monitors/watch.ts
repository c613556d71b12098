interface Watched {
  intervalSeconds: number;
  config: unknown;
}

/** The parts of a config that say how long an answer may take: that of a check, or a heartbeat's ping. */
interface Timed {
  timeoutMs?: number;
  graceSeconds?: number;
}

/**
 * How long a monitor counts as being watched after a check began, in milliseconds: two intervals and the time an answer
 * may take. What is later was seen by nobody, so its status is unknown.
 */
export function watchedForMs({ intervalSeconds, config }: Watched): number {
  const { timeoutMs = 10_000, graceSeconds } = config as Timed;
  return 2 * intervalSeconds * 1000 + (graceSeconds === undefined ? timeoutMs : graceSeconds * 1000);
}

/** Until when the last check of a monitor still speaks for it; null where there was none. */
export function knownUntil(monitor: Watched, lastCheckedAt: Date | null): Date | null {
  return lastCheckedAt && new Date(lastCheckedAt.getTime() + watchedForMs(monitor));
}
