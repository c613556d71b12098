import { cutPage } from '@/server/lists/cut-page';
import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { UptimeExclusion } from '@/server/platform/generated/prisma/client';
import type { Exclusion } from './schema';

export function exclusionNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such exclusion.');
}

export function toExclusion(row: UptimeExclusion): Exclusion {
  return {
    id: row.id,
    monitorId: row.monitorId,
    from: row.startsAt.toISOString(),
    to: row.endsAt.toISOString(),
    reason: row.reason,
    author: row.authorName,
    createdAt: row.createdAt.toISOString(),
  };
}

/**
 * Returns a page of a monitor's exclusions, newest first.
 * @throws AppError NOT_FOUND
 */
export async function listExclusions(
  db: Db,
  teamId: string,
  { id, limit, cursor }: { id: string; limit: number; cursor?: string | undefined },
): Promise<{ exclusions: Exclusion[]; nextCursor: string | null }> {
  if ((await db.monitor.count({ where: { id, teamId } })) === 0) throw monitorNotFound();
  const rows = await db.uptimeExclusion.findMany({
    where: { monitorId: id, teamId, ...(cursor !== undefined && { id: { lt: cursor } }) },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  return { exclusions: page.map(toExclusion), nextCursor };
}
