import type { Db } from '@/server/platform/db';
import type { Span } from './uptime';

/** The spans of some monitors that reach into the time after `from`, oldest first. */
export async function readSpans(db: Db, nums: number[], from: Date): Promise<Map<number, Span[]>> {
  const rows = await db.$queryRaw<(Span & { num: number })[]>`
    select monitor_num as num, status::text as status, started_at as "startedAt", ended_at as "endedAt"
    from status_spans
    where monitor_num = any(${nums}::int[]) and (ended_at is null or ended_at > ${from})
    order by monitor_num, started_at`;
  const spans = new Map<number, Span[]>(nums.map((num) => [num, []]));
  for (const { num, ...span } of rows) spans.get(num)?.push(span);
  return spans;
}
