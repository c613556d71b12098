import { formatCount } from '@/app/_components/format';
import { stateWords } from '@/app/_components/status/states';
import type { MonitorDetail, MonitorOverview } from '@/server/monitor-types/schema';

/** The document title of the list; begins with the number of monitors that are down. */
export function monitorsTitle(overview: Pick<MonitorOverview, 'counts'> | undefined): string {
  const down = overview?.counts.down ?? 0;
  return `${down > 0 ? `${formatCount(down)} down · ` : ''}Monitors · Upwatch`;
}

/** The document title of a monitor: its status, unless it is up, and its name. */
export function monitorTitle(detail: Pick<MonitorDetail, 'monitor'> | undefined): string {
  if (!detail) return 'Monitor · Upwatch';
  const { name, status } = detail.monitor;
  return `${status === 'up' ? '' : `${stateWords[status]} · `}${name} · Upwatch`;
}
