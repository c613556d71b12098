import { shortReason } from '@/server/monitor-lists/values';
import type { OverviewRow } from '@/server/monitor-types/schema';

const failing = ['down', 'degraded', 'unknown'];

/** The reason why a monitor fails, for its row; null if it does not fail. */
export function failureReason({ status, lastError }: Pick<OverviewRow, 'status' | 'lastError'>): string | null {
  if (!failing.includes(status) || lastError === null) return null;
  return shortReason(lastError);
}
