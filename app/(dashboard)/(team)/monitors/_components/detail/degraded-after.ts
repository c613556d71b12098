import type { Monitor } from '@/server/monitors/schema';

/** The milliseconds after which an answer is slow; null where the monitor has no such limit. */
export function degradedAfter({ config }: Monitor): number | null {
  return typeof config.degradedAfterMs === 'number' ? config.degradedAfterMs : null;
}
