import { formatLongDuration } from '@/app/_components/format';
import type { Uptime } from '@/server/monitor-types/schema';

/** Explains an uptime: "14 min 56 s down", "no downtime, 1 h excluded", "no downtime, 36 min of maintenance not counted". */
export function meaning({ ratio, downSeconds, maintenanceSeconds, excludedSeconds }: Uptime): string {
  const maintained =
    maintenanceSeconds >= 1 ? `, ${formatLongDuration(maintenanceSeconds)} of maintenance not counted` : '';
  const excluded = (excludedSeconds >= 1 ? `, ${formatLongDuration(excludedSeconds)} excluded` : '') + maintained;
  if (ratio === null) return excluded ? `no data${excluded}` : 'no data yet';
  const down = downSeconds > 0 ? `${formatLongDuration(Math.max(1, downSeconds))} down` : 'no downtime';
  return down + excluded;
}
