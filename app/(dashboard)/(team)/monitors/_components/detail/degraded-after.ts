import type { Monitor } from '@/server/monitor-types/schema';

/** The response time in ms above which a response counts as degraded; null if none is set. */
export function degradedAfter({ config }: Monitor): number | null {
  return typeof config.degradedAfterMs === 'number' ? config.degradedAfterMs : null;
}
