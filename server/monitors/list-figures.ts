import { shownSelect, shownStatus } from '@/server/monitor-types/output/shown-status';
import type { MonitorStatus, MonitorType } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';

/** The metrics of one monitor in its team's metrics. */
export interface MonitorFigures {
  id: string;
  name: string;
  type: MonitorType;
  status: MonitorStatus;
  statusSince: Date;
  lastCheckedAt: Date | null;
  lastLatencyMs: number | null;
}

/** The current metrics of every monitor of a team, oldest first. */
export async function listFigures(db: Db, teamId: string): Promise<MonitorFigures[]> {
  const rows = await db.monitorState.findMany({
    where: { teamId, region: '' },
    orderBy: { monitorId: 'asc' },
    select: {
      ...shownSelect,
      lastCheckedAt: true,
      lastLatencyMs: true,
      monitor: { select: { id: true, name: true, type: true } },
    },
  });
  const now = new Date();
  return rows.map(({ monitor, maintenance, ...state }) => {
    return { ...monitor, ...state, ...shownStatus({ ...state, maintenance }, now) };
  });
}
