import { isPassive } from '@/server/monitor-types/definitions';
import type { MonitorDetail } from '@/server/monitor-types/schema';
import { NOISY_FACTOR, noisyUntil } from '../verdict/noise';
import type { WatchState } from '../verdict/types';
import { confirmationOf, type MonitorRow } from './plan';

/** Returns how many checks must fail, over how many seconds, until a monitor is down; null for a heartbeat. */
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
