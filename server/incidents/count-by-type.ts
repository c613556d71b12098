import type { Db } from '@/server/platform/db';

/** How many incidents of a team are not resolved, by their type; a type without any is left out. */
export async function countOpenByType(db: Db, teamId: string): Promise<Map<string, number>> {
  const rows = await db.incident.groupBy({
    by: ['type'],
    where: { teamId, status: { not: 'resolved' } },
    _count: { _all: true },
  });
  return new Map(rows.map(({ type, _count }) => [type, _count._all]));
}
