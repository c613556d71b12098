import type { Db } from '@/server/platform/db';

/** Returns the number of unresolved incidents of a team by type; types without incidents are omitted. */
export async function countOpenByType(db: Db, teamId: string): Promise<Map<string, number>> {
  const rows = await db.incident.groupBy({
    by: ['type'],
    where: { teamId, status: { not: 'resolved' } },
    _count: { _all: true },
  });
  return new Map(rows.map(({ type, _count }) => [type, _count._all]));
}
