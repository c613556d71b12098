import type { Db } from '@/server/platform/db';
import { goneBefore } from './presence';

/** How many workers run in each region; a region without any is left out. */
export async function countWorkers(db: Db): Promise<Map<string, number>> {
  const rows = await db.worker.groupBy({ by: ['region'], where: { seenAt: { gt: await goneBefore() } }, _count: true });
  return new Map(rows.map(({ region, _count: workers }) => [region, workers]));
}
