import { watchedUntil } from '@/server/checks/due';

/** The part of a config every check has, secrets aside. */
interface Timed {
  timeoutMs?: number;
}

/** Until when the last check of a monitor still speaks for it; null where there was none. */
export function knownUntil(
  { intervalSeconds, config }: { intervalSeconds: number; config: unknown },
  lastCheckedAt: Date | null,
): Date | null {
  const { timeoutMs = 10_000 } = config as Timed;
  return lastCheckedAt && watchedUntil(lastCheckedAt, { intervalSeconds, timeoutMs });
}
