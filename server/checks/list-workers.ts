import type { Db, PoolUse } from '@/server/platform/db';
import { GONE_AFTER_SECONDS } from './presence';

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
  waits: Record<string, { counts: number[]; totalMs: number }>;
  /** Empty where a worker of an earlier version says nothing of it. */
  process: { memoryBytes?: number; connections?: PoolUse };
}

/** The workers that run now, the first started first: at most `limit`, after the one whose id is `cursor`. */
export function listWorkers(db: Db, { limit, cursor }: { limit?: number; cursor?: string }): Promise<RunningWorker[]> {
  return db.$queryRaw<RunningWorker[]>`
    select id, region, started_at as "startedAt", seen_at as "seenAt", version, lateness::float8[] as lateness,
      lateness_ms as "latenessMs", checks_per_minute as "checksPerMinute", lateness_p99_ms as "latenessP99Ms", waits, process
    from workers
    where seen_at > now() - ${GONE_AFTER_SECONDS}::int * interval '1 s' and id > ${cursor ?? ''}
    order by id limit ${limit ?? null}::int`;
}
