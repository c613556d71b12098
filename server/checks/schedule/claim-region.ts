import type { MonitorStatus } from '@/server/monitors/schema';
import { db } from '@/server/platform/db';
import { LEASE_MS, OVERDUE_MOMENTS, SPREAD_AFTER_MS } from './claim';

/** The right to record what a region sees of a monitor next, until `leaseUntil`. */
export interface RegionClaim {
  monitorId: string;
  region: string;
  version: number;
  dueAt: Date;
  leaseUntil: Date;
  /** As the region saw it when the claim was given. */
  state: { status: MonitorStatus; failures: number; recoveries: number };
}

interface ClaimRow {
  monitor_id: string;
  version: number;
  due_at: Date;
  claimed_until: Date;
  status: MonitorStatus;
  failures: number;
  recoveries: number;
}

/** Claims what workers of a region are to check within `aheadMs`, as `claimDue` does for what any worker checks. */
export async function claimRegionDue(
  worker: string,
  region: string,
  aheadMs: number,
  limit: number,
): Promise<RegionClaim[]> {
  const rows = await db.$queryRaw<ClaimRow[]>`
    with picked as materialized (
      select monitor_id from monitor_regions
      where region = ${region} and due_at <= now() + ${aheadMs}::int * interval '1 ms'
        and (claimed_until is null or claimed_until < now())
      order by due_at limit ${limit}::int
      for update skip locked
    )
    update monitor_regions r
    set claimed_by = ${worker}, claimed_until = greatest(r.due_at, now()) + ${LEASE_MS}::int * interval '1 ms'
    from picked join monitors m on m.id = picked.monitor_id
    where r.monitor_id = picked.monitor_id and r.region = ${region}
    returning r.monitor_id, m.version, r.due_at, r.claimed_until, r.status,
      coalesce((r.counted ->> 'failures')::int, 0) as failures,
      coalesce((r.counted ->> 'recoveries')::int, 0) as recoveries`;
  return rows.map((row) => ({
    monitorId: row.monitor_id,
    region,
    version: row.version,
    dueAt: row.due_at,
    leaseUntil: row.claimed_until,
    state: { status: row.status, failures: row.failures, recoveries: row.recoveries },
  }));
}

/** As `renewClaims`, for what the worker holds in its region. */
export async function renewRegionClaims(
  worker: string,
  region: string,
  monitorIds: string[],
): Promise<Map<string, Date>> {
  const rows = await db.$queryRaw<{ monitor_id: string; claimed_until: Date }[]>`
    with held as materialized (
      select monitor_id from monitor_regions
      where monitor_id = any(${monitorIds}::text[]) and region = ${region} and claimed_by = ${worker}
      order by monitor_id for update
    )
    update monitor_regions r set claimed_until = now() + ${LEASE_MS}::int * interval '1 ms'
    from held where r.monitor_id = held.monitor_id and r.region = ${region}
    returning r.monitor_id, r.claimed_until`;
  return new Map(rows.map((row) => [row.monitor_id, row.claimed_until]));
}

/** As `releaseClaims`, for what the worker holds in its region. */
export async function releaseRegionClaims(worker: string, region: string): Promise<void> {
  await db.$executeRaw`
    with held as materialized (
      select monitor_id from monitor_regions where region = ${region} and claimed_by = ${worker}
      order by monitor_id for update
    )
    update monitor_regions r set claimed_by = null, claimed_until = null
    from held where r.monitor_id = held.monitor_id and r.region = ${region}`;
}

/** As `spreadOverdue`, for what workers of a region check. */
export async function spreadRegionOverdue(region: string): Promise<void> {
  await db.$executeRaw`
    with overdue as materialized (
      select monitor_id, due_at from monitor_regions
      where region = ${region} and due_at < now() - ${SPREAD_AFTER_MS}::int * interval '1 ms'
        and (claimed_until is null or claimed_until < now())
        and last_checked_at is not null and counted @> '{"failures": 0, "recoveries": 0}'
      order by monitor_id for update
    ), ${OVERDUE_MOMENTS}
    update monitor_regions r set due_at = moments.at
    from moments where r.monitor_id = moments.id and r.region = ${region}`;
}
