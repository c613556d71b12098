import type { Tx } from '@/server/platform/db';
import type { WatchState } from '../verdict/transition';
import type { CheckRow } from './check-row';

/** How a monitor's row of one region changes. */
export interface RegionChange {
  monitorId: string;
  region: string;
  dueAt: Date;
  state: WatchState;
  /** The check that the row shows from now on; null where it shows a later one. */
  check: CheckRow | null;
}

function toRow({ monitorId, region, dueAt, state, check }: RegionChange) {
  const { status, statusSince, lastCheckedAt, changes: _changes, steadySince: _steady, ...counted } = state;
  const { latencyMs, error } = check ?? {};
  return {
    monitorId,
    region,
    dueAt,
    status,
    statusSince,
    lastCheckedAt,
    counted,
    isLast: check !== null,
    latencyMs,
    error,
  };
}

/** Writes what regions say of monitors, and ends the worker's claims. The caller holds the rows. */
export async function writeRegions(tx: Tx, worker: string | null, changes: RegionChange[]): Promise<void> {
  if (changes.length === 0) return;
  await tx.$executeRaw`
    update monitor_regions r set
      due_at = case when ${worker}::text is null and r.claimed_by is not null then r.due_at else c."dueAt" end,
      claimed_until = case when ${worker}::text is null then r.claimed_until end,
      claimed_by = case when ${worker}::text is null then r.claimed_by end,
      status = c.status, status_since = c."statusSince", last_checked_at = c."lastCheckedAt", counted = c.counted,
      last_latency_ms = case when c."isLast" then c."latencyMs" else r.last_latency_ms end,
      last_error = case when c."isLast" then c.error else r.last_error end
    from jsonb_to_recordset(${JSON.stringify(changes.map(toRow))}::jsonb) as c (
      "monitorId" text, region text, "dueAt" timestamptz, status monitor_status, "statusSince" timestamptz,
      "lastCheckedAt" timestamptz, counted jsonb, "isLast" boolean, "latencyMs" int, error text
    )
    where r.monitor_id = c."monitorId" and r.region = c.region`;
}
