import type { Db } from '@/server/platform/db';
import { goneBefore } from './presence';

/** Returns the number of running workers per region; regions without any are missing. */
export async function countWorkers(db: Db): Promise<Map<string, number>> {
  const rows = await db.worker.groupBy({ by: ['region'], where: { seenAt: { gt: await goneBefore() } }, _count: true });
  return new Map(rows.map(({ region, _count: workers }) => [region, workers]));
}
