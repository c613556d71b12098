import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { MonitorChart, MonitorChartInput } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import { readChart } from './chart';

/**
 * Returns the chart of a monitor in any span of the past. The shorter the span, the shorter its parts.
 * @throws AppError NOT_FOUND
 */
export async function getChart(
  db: Db,
  teamId: string,
  { id, since, until }: MonitorChartInput,
): Promise<{ chart: MonitorChart }> {
  const monitor = await db.monitor.findFirst({
    where: { id, teamId },
    select: {
      num: true,
      createdAt: true,
      regions: true,
      intervalSeconds: true,
      config: true,
      watchChangedAt: true,
      formerWatchMs: true,
      states: { where: { region: '' }, select: { lastCheckedAt: true } },
    },
  });
  if (!monitor) throw monitorNotFound();
  const watched = { ...monitor, id, lastCheckedAt: monitor.states[0]?.lastCheckedAt ?? null };
  const { chart } = await readChart(db, watched, { from: new Date(since), to: new Date(until) }, new Date());
  return { chart };
}
