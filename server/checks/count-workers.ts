import type { Db } from '@/server/platform/db';
import { GONE_AFTER_SECONDS } from './presence';

/** How many workers run in each region; a region without any is left out. */
export async function countWorkers(db: Db): Promise<Map<string, number>> {
  const rows = await db.$queryRaw<{ region: string; workers: number }[]>`
    select region, count(*)::int as workers from workers
    where seen_at > now() - ${GONE_AFTER_SECONDS}::int * interval '1 s' group by region`;
  return new Map(rows.map(({ region, workers }) => [region, workers]));
}
