import { db } from '@/server/platform/db';

/** Times further in the future than this were written before the clock was set back; differences between machines are smaller. */
const AHEAD_SECONDS = 10;
/** A new monitor is due at once, or a minute later if regions check it. */
const NEW_WITHIN_SECONDS = 120;

/**
 * Moves the schedule back after the database's clock was set back. Otherwise nothing would be due until the former time, and results would count as
 * older than the last one and change no status. The times of each monitor move by as much as its last check is in the future. Safe for concurrent
 * workers.
 * @returns the number of states that were moved: one per monitor, and one for each of its regions
 */
export async function bringBack(): Promise<number> {
  const checked = await db.$executeRaw`
    with ahead as materialized (
      select monitor_id, region, greatest(last_checked_at, run_started_at) - now() as by from monitor_states
      where greatest(last_checked_at, run_started_at) > now() + ${AHEAD_SECONDS}::int * interval '1 s'
      order by monitor_id, region for update
    )
    update monitor_states s set due_at = s.due_at - by, claimed_by = null, claimed_until = null,
      status_since = least(s.status_since, now()), last_checked_at = s.last_checked_at - by,
      turned_at = s.turned_at - by, latency_turned_at = s.latency_turned_at - by, steady_since = s.steady_since - by,
      expected_since = s.expected_since - by, run_started_at = s.run_started_at - by, revision = s.revision + 1
    from ahead where s.monitor_id = ahead.monitor_id and s.region = ahead.region`;
  const unchecked = await db.$executeRaw`
    with ahead as materialized (
      select monitor_id, region from monitor_states
      where last_checked_at is null and due_at > now() + ${NEW_WITHIN_SECONDS}::int * interval '1 s'
      order by monitor_id, region for update
    )
    update monitor_states s set due_at = now()
    from ahead where s.monitor_id = ahead.monitor_id and s.region = ahead.region`;
  return checked + unchecked;
}
