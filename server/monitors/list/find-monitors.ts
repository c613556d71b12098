import { maskConfig } from '@/server/monitor-types/config/config-secrets';
import { targetOf } from '@/server/monitor-types/config/target-of';
import type { FindMonitorsInput, FoundMonitor } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import { countByStatus, foundColumns, readWorstFirst } from './list-queries';

const MOST_FOUND = 8;

/** Returns up to 8 monitors whose name, address or a tag contains the text, most severe first. Fast enough for search while typing. */
export async function findMonitors(db: Db, teamId: string, { search }: FindMonitorsInput): Promise<FoundMonitor[]> {
  const { counts } = await countByStatus(db, teamId);
  const page = { after: null, limit: MOST_FOUND, counts };
  const rows = await readWorstFirst(db, foundColumns, { teamId, search }, page);
  return rows.map(({ config, statusSince, ...row }) => ({
    ...row,
    target: targetOf(row.type, maskConfig(row.type, config)),
    statusSince: statusSince.toISOString(),
  }));
}
