import { z } from 'zod';
import type { MonitorStatus } from '@/server/monitors/schema';
import type { Vote } from '../verdict/majority';
import type { WatchState } from '../verdict/transition';

/** What a region's next verdict depends on, beside what its row shows; the defaults are those of a new one. */
const Counted = z.object({
  failures: z.int().default(0),
  recoveries: z.int().default(0),
  turnedAt: z.coerce.date().nullable().default(null),
  latencyStreak: z.int().default(0),
  latencyTurnedAt: z.coerce.date().nullable().default(null),
  openIncident: z.enum(['downtime', 'degraded']).nullable().default(null),
});

/** A monitor in one region, as it is read by hand-written statements. */
export interface RegionRow {
  monitor_id: string;
  region: string;
  due_at: Date | null;
  claimed_by: string | null;
  status: MonitorStatus;
  status_since: Date;
  counted: unknown;
  last_checked_at: Date | null;
  last_error: string | null;
}

/**
 * The state that `transition` takes of one region. Its "incident" is told to nobody: it makes the end of a downtime be
 * confirmed. Flapping is the monitor's, not a region's.
 */
export function toRegionState(row: RegionRow): WatchState {
  return {
    status: row.status,
    statusSince: row.status_since,
    lastCheckedAt: row.last_checked_at,
    ...Counted.parse(row.counted),
    changes: [],
    steadySince: null,
  };
}

export function toVote(row: RegionRow): Vote {
  return {
    region: row.region,
    status: row.status,
    statusSince: row.status_since,
    lastCheckedAt: row.last_checked_at,
    lastError: row.last_error,
    dueAt: row.due_at,
  };
}
