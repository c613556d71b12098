import type { OverviewRow } from '@/server/monitor-types/schema';

const failing = ['down', 'degraded', 'unknown'];

/**
 * The reason why a monitor fails, for its row; null if it does not fail. An unexpected status is shortened to "503, expected 200–299", and the regions
 * that saw it follow a dot.
 */
export function failureReason({ status, lastError }: Pick<OverviewRow, 'status' | 'lastError'>): string | null {
  if (!failing.includes(status) || lastError === null) return null;
  const [, expected, got, regions] = /^Expected status ([\d\-, ]+), got (\d+)(?: \((.+)\))?$/.exec(lastError) ?? [];
  if (expected === undefined || got === undefined) return lastError;
  return `${got}, expected ${expected.replaceAll('-', '–')}${regions === undefined ? '' : ` · ${regions}`}`;
}
