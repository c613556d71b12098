import type { Db, PoolUse } from '@/server/platform/db';
import type { DeliveryCounts } from '@/server/platform/metrics/delivery-counts';
import type { BucketCounts } from '@/server/platform/metrics/time-buckets';
import { goneBefore } from './presence';

/** A running worker with the figures that it reports. */
export interface RunningWorker {
  id: string;
  region: string;
  startedAt: Date;
  seenAt: Date;
  version: string;
  /** The number of checks since its start, in the lateness buckets of lateness.ts. */
  lateness: number[];
  latenessMs: number;
  /** In the last five minutes. */
  checksPerMinute: number;
  latenessP99Ms: number | null;
  /** How long work waited for a shared slot since its start, by kind, in the buckets of time-buckets.ts. */
  waits: Record<string, BucketCounts>;
  /** Empty for a worker of an earlier version, which does not report it. */
  process: { memoryBytes?: number; connections?: PoolUse; deliveries?: DeliveryCounts };
  /** False while its egress checks fail. */
  hasNetwork: boolean;
}

/** Returns the running workers in the order of their IDs, which is that of their start: at most `limit`, after the one with the ID `cursor`. */
export async function listWorkers(
  db: Db,
  { limit, cursor = '' }: { limit?: number; cursor?: string },
): Promise<RunningWorker[]> {
  const rows = await db.worker.findMany({
    where: { seenAt: { gt: await goneBefore() }, id: { gt: cursor } },
    omit: { canaryAt: true },
    orderBy: { id: 'asc' },
    ...(limit !== undefined && { take: limit }),
  });
  return rows.map(({ lateness, waits, process, lostAt, ...row }) => ({
    ...row,
    lateness: lateness.map(Number),
    waits: waits as unknown as RunningWorker['waits'],
    process: process as unknown as RunningWorker['process'],
    hasNetwork: lostAt === null,
  }));
}
