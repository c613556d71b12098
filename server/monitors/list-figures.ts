import type { Db } from '@/server/platform/db';
import type { MonitorStatus, MonitorType } from './schema';

/** What a team's own metrics say of one of its monitors. */
export interface MonitorFigures {
  id: string;
  name: string;
  type: MonitorType;
  status: MonitorStatus;
  statusSince: Date | null;
  lastCheckedAt: Date | null;
  lastLatencyMs: number | null;
}

/** The present figures of every monitor of a team, the oldest first. */
export async function listFigures(db: Db, teamId: string): Promise<MonitorFigures[]> {
  const rows = await db.monitor.findMany({
    where: { teamId },
    orderBy: { id: 'asc' },
    select: {
      id: true,
      name: true,
      type: true,
      state: { select: { status: true, statusSince: true, lastCheckedAt: true, lastLatencyMs: true } },
    },
  });
  return rows.map(({ state, ...monitor }) => ({
    ...monitor,
    status: state?.status ?? 'pending',
    statusSince: state?.statusSince ?? null,
    lastCheckedAt: state?.lastCheckedAt ?? null,
    lastLatencyMs: state?.lastLatencyMs ?? null,
  }));
}
