import type { Db } from '@/server/platform/db';
import type { MonitorDetail } from './schema';

type Point = Omit<MonitorDetail['chart']['points'][number], 'status'>;

/** Percentiles of the latency of a monitor's answers, in `parts` parts of `bucketSeconds` from `from` on; milliseconds. */
export async function readPoints(
  db: Db,
  num: number,
  { from, parts, bucketSeconds }: { from: Date; parts: number; bucketSeconds: number },
): Promise<Point[]> {
  const rows = await db.$queryRaw<{ part: number; p: number[] }[]>`
    select floor(extract(epoch from at - ${from}::timestamptz) / ${bucketSeconds})::int as part,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by latency_ms) as p
    from checks
    where monitor_num = ${num} and at >= ${from} and latency_ms is not null
    group by 1`;
  const byPart = new Map(rows.map(({ part, p }) => [part, p]));
  return Array.from({ length: parts }, (_, part) => {
    const [p50 = null, p95 = null, p99 = null] = byPart.get(part) ?? [];
    return { at: new Date(from.getTime() + part * bucketSeconds * 1000).toISOString(), p50, p95, p99 };
  });
}

const phaseNames = ['dns', 'connect', 'tls', 'firstByte', 'download'] as const;

/** Where the time of a monitor's answers since `from` went; milliseconds, null for a phase that never happened. */
export async function readPhases(db: Db, num: number, from: Date): Promise<MonitorDetail['phases']> {
  const [row] = await db.$queryRaw<Record<(typeof phaseNames)[number], number[] | null>[]>`
    select
      percentile_disc(array[0.5, 0.95]) within group (order by dns_ms) as "dns",
      percentile_disc(array[0.5, 0.95]) within group (order by connect_ms) as "connect",
      percentile_disc(array[0.5, 0.95]) within group (order by tls_ms) as "tls",
      percentile_disc(array[0.5, 0.95]) within group (order by first_byte_ms) as "firstByte",
      percentile_disc(array[0.5, 0.95]) within group (order by download_ms) as "download"
    from checks where monitor_num = ${num} and at >= ${from} and status in ('up', 'degraded')`;
  return phaseNames.map((phase) => {
    const [p50 = null, p95 = null] = row?.[phase] ?? [];
    return { phase, p50, p95 };
  });
}
