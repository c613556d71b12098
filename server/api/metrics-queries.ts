import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { HOUR_MS } from '@/server/time/schema';

interface Backlog {
  waiting: number;
  oldest: number;
}

/** Counts the checks that are overdue by more than 5 s. Raw: a union of two partial indexes, compared by the database's clock. */
export const readOverdue = () => db.$queryRaw<Backlog[]>`
  select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest
  from (
    select due_at from monitor_states where region = '' union all select due_at from monitor_states where region <> ''
  ) as due
  where due_at < now() - interval '5 seconds'`;

/**
 * Counts pending deliveries. One that waits behind another about the same incident has no time of its own, so it is not overdue. Raw: computes
 * several figures in one pass over the index of pending deliveries.
 */
export const deliveriesSql = Prisma.sql`
  select count(*)::int as waiting,
    coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest,
    greatest(0, coalesce(extract(epoch from now() - min(greatest(created_at, next_attempt_at)) filter (
      where next_attempt_at is not null
    )), 0))::float8 as overdue
  from deliveries where status = 'pending'`;

export const readDeliveries = () => db.$queryRaw<(Backlog & { overdue: number })[]>(deliveriesSql);

/** Returns the end of the last hour for which the history of every monitor is rolled up; null before the first roll-up. */
export async function readRollUpEnd(): Promise<Date | null> {
  const mark = await db.rollUpMark.findUnique({ where: { id: 1 } });
  return mark && new Date(mark.hour * HOUR_MS);
}

/**
 * Counts jobs that are ready and not running, and jobs that failed permanently. A running job has not failed, even on its last attempt, nor has one
 * whose key a newer job uses. Raw: the job queue's tables are not in the schema.
 */
export const readJobs = () => db.$queryRaw<(Backlog & { failed: number })[]>`
  select count(*) filter (where ready)::int as waiting,
    count(*) filter (where attempts >= max_attempts and locked_at is null)::int as failed,
    greatest(0, coalesce(extract(epoch from now() - min(run_at) filter (where ready)), 0))::float8 as oldest
  from (
    select *, locked_at is null and run_at <= now() and attempts < max_attempts as ready from graphile_worker.jobs
  ) as jobs`;
