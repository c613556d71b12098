import { db } from '@/server/platform/db';
import { DAY_MS } from '@/server/time/schema';

/** A running import ends after this time, because the requests that continue it come from an open page. It starts within a day of its creation. */
const STALE_MS = 2 * DAY_MS;

/** Ends running imports that nobody continued, at most `limit`, and deletes their drafts. Items without a result fail. They can still be undone. */
export async function endStaleImports(now: number, limit: number): Promise<{ count: number }> {
  const stale = await db.import.findMany({
    where: { state: 'running', createdAt: { lt: new Date(now - STALE_MS) } },
    select: { id: true },
    take: limit,
  });
  const ids = stale.map(({ id }) => id);
  const [, ended] = await db.$transaction([
    db.importItem.updateMany({
      where: { importId: { in: ids }, import: { state: 'running' }, outcome: { in: ['waiting', 'started'] } },
      data: { outcome: 'failed', note: 'The import was not continued.' },
    }),
    db.import.updateMany({
      where: { id: { in: ids }, state: 'running' },
      data: { state: 'done', draft: null, endedAt: new Date(now) },
    }),
  ]);
  return ended;
}
