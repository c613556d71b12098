import type { Percentiles } from '@/server/history/latency/histogram';
import { readLatency } from '@/server/history/latency/read-latency';
import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import type { Latency, UptimeRange } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import { rangeMs } from './read-uptime';

const HOUR_S = 3600;

/** The time that one point of a range covers, in seconds. */
const pointSeconds: Record<UptimeRange, number> = {
  '24h': HOUR_S,
  '7d': HOUR_S,
  '30d': 4 * HOUR_S,
  '90d': 24 * HOUR_S,
};

const named = ({ p50, p95, p99 }: Percentiles) => ({ p50Ms: p50, p95Ms: p95, p99Ms: p99 });

/**
 * Returns the latency percentiles of a monitor for a range that ends now, and for each of its parts. The range starts with a whole part, so it may be
 * up to one part longer than requested.
 * @throws AppError NOT_FOUND
 */
export async function getLatency(
  db: Db,
  teamId: string,
  { id, range }: { id: string; range: UptimeRange },
): Promise<Latency> {
  const monitor = await db.monitor.findFirst({ where: { id, teamId }, select: { num: true } });
  if (!monitor) throw monitorNotFound();
  const partMs = pointSeconds[range] * 1000;
  const to = new Date();
  const from = new Date(Math.floor((to.getTime() - rangeMs[range]) / partMs) * partMs);
  const parts = Math.ceil((to.getTime() - from.getTime()) / partMs);
  const latency = await readLatency(db, monitor.num, { from, partMs, parts });
  return {
    range,
    from: from.toISOString(),
    to: to.toISOString(),
    ...named(latency.overall),
    pointSeconds: pointSeconds[range],
    points: latency.parts.map(({ at, ...percentiles }) => ({ at: at.toISOString(), ...named(percentiles) })),
  };
}
