import type { Db, PoolUse } from '@/server/platform/db';
import type { DeliveryCounts } from '@/server/platform/delivery-counts';
import type { BucketCounts } from '@/server/platform/time-buckets';
import { goneBefore } from './presence';

/** A worker that runs, with what it says of itself. */
export interface RunningWorker {
  id: string;
  region: string;
  startedAt: Date;
  seenAt: Date;
  version: string;
  /** Checks since its start by how late they began, in the buckets of lateness.ts. */
  lateness: number[];
  latenessMs: number;
  /** Of its last five minutes. */
  checksPerMinute: number;
  latenessP99Ms: number | null;
  /** How long work waited for a shared place since its start, by kind, in the buckets of time-buckets.ts. */
  waits: Record<string, BucketCounts>;
  /** Empty where a worker of an earlier version says nothing of it. */
  process: { memoryBytes?: number; connections?: PoolUse; deliveries?: DeliveryCounts };
  /** False while its egress checks find no network. */
  hasNetwork: boolean;
}

/** The workers that run now, the first started first: at most `limit`, after the one whose id is `cursor`. */
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
