import { db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { IncidentType, MonitorStatus } from '@/server/platform/generated/prisma/enums';

interface Backlog {
  waiting: number;
  oldest: number;
}

/** The number of monitors per status, in the order of statuses. Raw: in a window a monitor counts as in maintenance. */
export const readMonitors = () => db.$queryRaw<{ status: MonitorStatus; monitors: number }[]>`
  select status::text, count(*)::int as monitors from (
    select case when status <> 'paused' and maintenance <> '{}' and width_bucket(now(), maintenance) % 2 = 1
      then 'maintenance' else status end as status
    from monitor_states where region = ''
  ) shown group by shown.status order by shown.status`;

/** Checks overdue by more than 5 s. Raw: a union of two partial indexes, by the database's clock. */
export const readOverdue = () => db.$queryRaw<Backlog[]>`
  select count(*)::int as waiting, coalesce(extract(epoch from now() - min(due_at)), 0)::float8 as oldest
  from (
    select due_at from monitor_states where region = '' union all select due_at from monitor_states where region <> ''
  ) as due
  where due_at < now() - interval '5 seconds'`;

/** A delivery that waits for its predecessor is not overdue: it is not due yet. Raw: several filtered counts in one pass over the table. */
export const deliveriesSql = Prisma.sql`
  select count(*) filter (where status = 'pending')::int as waiting,
    count(*) filter (where status = 'failed')::int as failed,
    coalesce(extract(epoch from now() - min(created_at) filter (where status = 'pending')), 0)::float8 as oldest,
    greatest(0, coalesce(extract(epoch from now() - min(greatest(created_at, next_attempt_at)) filter (
      where status = 'pending' and
        (select earlier.status from deliveries earlier where earlier.id = deliveries.after_id) is distinct from 'pending'
    )), 0))::float8 as overdue
  from deliveries where status = 'pending' or (status = 'failed' and created_at > now() - interval '1 day')`;

export const readDeliveries = () => db.$queryRaw<(Backlog & { failed: number; overdue: number })[]>(deliveriesSql);

/** The number of unresolved incidents by type. */
export async function readOpenIncidents(): Promise<{ type: IncidentType; incidents: number }[]> {
  const rows = await db.incident.groupBy({ by: ['type'], where: { status: { not: 'resolved' } }, _count: true });
  return rows.map(({ type, _count: incidents }) => ({ type, incidents }));
}

/** The regions that monitors use. */
export async function readRegions(): Promise<{ region: string }[]> {
  const rows = await db.monitorState.groupBy({ by: ['region'], where: { region: { not: '' } } });
  return rows;
}

/**
 * Jobs that are ready and not taken, and those that failed for good. A running job has not failed, even on its last attempt; neither has one whose
 * key another job has taken. Raw: the job queue's tables are not in the schema.
 */
export const readJobs = () => db.$queryRaw<(Backlog & { failed: number })[]>`
  select count(*) filter (where ready)::int as waiting,
    count(*) filter (where attempts >= max_attempts and locked_at is null)::int as failed,
    greatest(0, coalesce(extract(epoch from now() - min(run_at) filter (where ready)), 0))::float8 as oldest
  from (
    select *, locked_at is null and run_at <= now() and attempts < max_attempts as ready from graphile_worker.jobs
  ) as jobs`;
