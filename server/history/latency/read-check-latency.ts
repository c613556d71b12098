import type { Db } from '@/server/platform/db';
import { answered } from './histogram-sql';
import type { Latency } from './read-latency';

/** Computes a monitor's latency percentiles from raw results: for `parts` parts of `bucketSeconds` each from `from` on, and for the whole range. */
export async function readPoints(
  db: Db,
  num: number,
  { from, parts, bucketSeconds }: { from: Date; parts: number; bucketSeconds: number },
): Promise<Latency> {
  const to = new Date(from.getTime() + parts * bucketSeconds * 1000);
  // Raw: percentiles of the parts and the range in one pass.
  const rows = await db.$queryRaw<{ part: number | null; p: number[] | null }[]>`
    select floor(extract(epoch from at - ${from}::timestamptz) / ${bucketSeconds})::int as part,
      percentile_disc(array[0.5, 0.95, 0.99]) within group (order by latency_ms) as p
    from checks
    where monitor_num = ${num} and at >= ${from} and at < ${to} and ${answered}
    group by grouping sets ((1), ())`;
  const byPart = new Map(rows.map(({ part, p }) => [part, p]));
  const percentiles = (part: number | null) => {
    const [p50 = null, p95 = null, p99 = null] = byPart.get(part) ?? [];
    return { p50, p95, p99 };
  };
  return {
    overall: percentiles(null),
    parts: Array.from({ length: parts }, (_, part) => {
      return { at: new Date(from.getTime() + part * bucketSeconds * 1000), ...percentiles(part) };
    }),
  };
}

const phaseNames = ['dns', 'connect', 'tls', 'firstByte', 'download'] as const;

/** The duration of one phase in the latest checks, in milliseconds. */
interface PhaseTimes {
  phase: (typeof phaseNames)[number];
  p50: number | null;
  p95: number | null;
}

/** The number of latest successful checks that are read: enough to represent the range, at the same cost for any interval. */
const LATEST = 1_000;

/** Computes how long each phase of a monitor's latest successful checks since `from` took, in milliseconds; null for a phase that did not occur. */
export async function readPhases(db: Db, num: number, from: Date): Promise<PhaseTimes[]> {
  // Raw: percentiles of the latest rows.
  const [row] = await db.$queryRaw<Record<(typeof phaseNames)[number], number[] | null>[]>`
    select
      percentile_disc(array[0.5, 0.95]) within group (order by dns_ms) as "dns",
      percentile_disc(array[0.5, 0.95]) within group (order by connect_ms) as "connect",
      percentile_disc(array[0.5, 0.95]) within group (order by tls_ms) as "tls",
      percentile_disc(array[0.5, 0.95]) within group (order by first_byte_ms) as "firstByte",
      percentile_disc(array[0.5, 0.95]) within group (order by download_ms) as "download"
    from (
      select * from checks where monitor_num = ${num} and at >= ${from} and status in ('up', 'degraded')
      order by at desc limit ${LATEST}
    ) latest`;
  return phaseNames.map((phase) => {
    const [p50 = null, p95 = null] = row?.[phase] ?? [];
    return { phase, p50, p95 };
  });
}
