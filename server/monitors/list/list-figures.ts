import { shownSelect, shownStatus } from '@/server/monitor-types/output/shown-status';
import type { MonitorStatus, MonitorType } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';

/** The values of one monitor that the team's metrics endpoint returns. */
export interface MonitorFigures {
  id: string;
  name: string;
  type: MonitorType;
  status: MonitorStatus;
  statusSince: Date;
  lastCheckedAt: Date | null;
  lastLatencyMs: number | null;
}

/** The number of monitors in a page. Rendering a page takes a few milliseconds. */
const PAGE = 250;

/** Yields the current metrics of all monitors of a team in pages, oldest monitor first. */
export async function* pagesOfFigures(db: Db, teamId: string): AsyncGenerator<MonitorFigures[]> {
  for (let after = '', isMore = true; isMore; ) {
    const rows = await db.monitorState.findMany({
      where: { teamId, region: '', monitorId: { gt: after } },
      orderBy: { monitorId: 'asc' },
      take: PAGE,
      select: {
        ...shownSelect,
        lastCheckedAt: true,
        lastLatencyMs: true,
        monitor: { select: { id: true, name: true, type: true } },
      },
    });
    const now = new Date();
    yield rows.map(({ monitor, maintenance, ...state }) => {
      return { ...monitor, ...state, ...shownStatus({ ...state, maintenance }, now) };
    });
    after = rows.at(-1)?.monitor.id ?? '';
    isMore = rows.length === PAGE;
  }
}
