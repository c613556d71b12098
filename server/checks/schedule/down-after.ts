import { isPassive } from '@/server/monitor-types/definitions';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { NOISY_FACTOR, noisyUntil } from '../verdict/noise';
import type { WatchState } from '../verdict/types';
import { confirmationOf, type MonitorRow } from './plan';

/** How many checks of a monitor must fail until it is down, and for how long; null for a heartbeat. */
export function downAfter(
  row: Pick<MonitorRow, 'type' | 'config' | 'regions' | 'intervalSeconds'>,
  state: Pick<WatchState, 'noiseUntil'>,
  now: Date,
): MonitorDetail['downAfter'] {
  if (isPassive(row.type)) return null;
  const confirm = confirmationOf(row);
  const until = noisyUntil(state, now, { ...row, ...confirm });
  const seconds = ((confirm.failures - 1) * confirm.retryDelayMs * (until ? NOISY_FACTOR : 1)) / 1000;
  return { failures: confirm.failures, seconds, noisyUntil: until?.toISOString() ?? null };
}
