import { formatLongDuration } from '@/app/_components/format';
import type { Uptime } from '@/server/monitors/schema';

/** An uptime's downtime in words: "14 min 56 s down", "no downtime, 1 h excluded". */
export function meaning({ ratio, downSeconds, excludedSeconds }: Uptime): string {
  const excluded = excludedSeconds >= 1 ? `, ${formatLongDuration(excludedSeconds)} excluded` : '';
  if (ratio === null) return excluded ? `no data${excluded}` : 'no data yet';
  const down = downSeconds > 0 ? `${formatLongDuration(Math.max(1, downSeconds))} down` : 'no downtime';
  return down + excluded;
}
