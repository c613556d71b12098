import { formatCount } from '@/app/_components/format';
import { stateWords } from '@/app/_components/states';
import type { MonitorDetail, MonitorOverview } from '@/server/monitors/schema';

/** The title of the list's document: what is wrong comes first. */
export function monitorsTitle(overview: Pick<MonitorOverview, 'counts'> | undefined): string {
  const down = overview?.counts.down ?? 0;
  return `${down > 0 ? `${formatCount(down)} down · ` : ''}Monitors · Upwatch`;
}

/** The title of a monitor's document: its state, unless all is well, and its name. */
export function monitorTitle(detail: Pick<MonitorDetail, 'monitor'> | undefined): string {
  if (!detail) return 'Monitor · Upwatch';
  const { name, status } = detail.monitor;
  return `${status === 'up' ? '' : `${stateWords[status]} · `}${name} · Upwatch`;
}
