import type { Tx } from '@/server/platform/db';
import { notifySchedule } from '@/server/platform/listen';
import { MOST_LEVELS } from './settle-job';

/** After the end of what it depended on, a monitor is given so long to recover. */
const RECOVERS_WITHIN_MS = 300_000;
const AT_ONCE = 500;

/** What a monitor depends on, directly or through others. */
interface Above {
  monitorId: string;
  /** The open downtime of the nearest one that has one. */
  incidentId: string | null;
  /** One of them is being confirmed down, or its state is changing at this moment. */
  isConfirming: boolean;
  /** When the one that was checked the longest ago was last checked; null: one never was, or is not checked at present. */
  checkedAt: Date | null;
}

/** What monitors depend on, if on anything. Waits for no lock: a state that is locked counts as changing. */
export async function findAbove(tx: Tx, monitorIds: string[]): Promise<Map<string, Above>> {
  // Raw: walks up the dependencies, and skips locked rows.
  const rows = await tx.$queryRaw<
    { monitorId: string; aboveId: string; incidentId: string | null; failures: number; checkedAt: Date | null }[]
  >`
    with recursive up as (
      select id as monitor_id, parent_id as above_id, 1 as level from monitors
      where id = any(${monitorIds}::text[]) and parent_id is not null
      union all
      select up.monitor_id, above.parent_id, level + 1 from up join monitors above on above.id = up.above_id
      where above.parent_id is not null and level < ${MOST_LEVELS}::int
    )
    select up.monitor_id as "monitorId", up.above_id as "aboveId", incident.id as "incidentId",
      (select coalesce(max(state.failures), 0) from monitor_states state where state.monitor_id = up.above_id) as failures,
      (select min(state.last_checked_at) from monitor_states state
       where state.monitor_id = up.above_id and state.due_at is not null) as "checkedAt"
    from up left join incidents incident on incident.open_key = up.above_id || ':status' and incident.type = 'downtime'
    order by up.monitor_id, up.level`;
  // Raw: skips locked rows.
  const settled = await tx.$queryRaw<{ id: string }[]>`
    select monitor_id as id from monitor_states
    where monitor_id = any(${rows.map(({ aboveId }) => aboveId)}::text[]) and region = '' for share skip locked`;
  const free = new Set(settled.map(({ id }) => id));
  const above = new Map<string, Above>();
  for (const { monitorId, aboveId, incidentId, failures, checkedAt } of rows) {
    const found = above.get(monitorId);
    const oldest = found?.checkedAt && checkedAt && found.checkedAt < checkedAt ? found.checkedAt : checkedAt;
    above.set(monitorId, {
      monitorId,
      incidentId: found?.incidentId ?? incidentId,
      isConfirming: Boolean(found?.isConfirming) || failures > 0 || !free.has(aboveId),
      checkedAt: found && !found.checkedAt ? null : oldest,
    });
  }
  return above;
}

/** Has everything that monitors depend on checked at once. Waits for no lock: a state that is locked is being checked. */
export async function checkAbove(tx: Tx, monitorIds: string[]): Promise<void> {
  // Raw: walks up the dependencies, skips locked rows, and sets times by the database's clock.
  const checked = await tx.$executeRaw`
    with recursive up as (
      select parent_id as id, 1 as level from monitors where id = any(${monitorIds}::text[]) and parent_id is not null
      union
      select above.parent_id, level + 1 from up join monitors above on above.id = up.id
      where above.parent_id is not null and level < ${MOST_LEVELS}::int
    ), due as materialized (
      select monitor_id, region from monitor_states
      where monitor_id in (select id from up) and due_at > clock_timestamp() + interval '1 second'
      for no key update skip locked
    )
    update monitor_states state set due_at = clock_timestamp()
    from due where state.monitor_id = due.monitor_id and state.region = due.region`;
  if (checked > 0) await notifySchedule(tx);
}

/** What an incident is below, or until when it is held; neither: it is told. */
interface Below {
  id: string;
  parentIncidentId: string | null;
  heldUntil: Date | null;
}

/** Writes what incidents are below: an outage has hundreds below one, so one statement for each parent. */
export async function setBelow(tx: Tx, incidents: Below[]): Promise<void> {
  const groups = new Map<string, { ids: string[]; data: Omit<Below, 'id'> }>();
  for (const { id, parentIncidentId, heldUntil } of incidents) {
    const key = `${parentIncidentId} ${heldUntil?.getTime()}`;
    const { ids } = groups.get(key) ?? { ids: [] };
    groups.set(key, { ids: [...ids, id], data: { parentIncidentId, heldUntil } });
  }
  for (const { ids, data } of groups.values()) await tx.incident.updateMany({ where: { id: { in: ids } }, data });
}

/** An incident that was not told, and may have to be now. */
interface Hidden {
  id: string;
  monitorId: string | null;
  /** It was held, and that is over. */
  isHeld: boolean;
  /** Its monitor had the time to recover since what it depended on did, and did not. */
  stillFails: boolean;
}

/** Locks the incidents that were not told and are to be decided on again. */
export function lockHidden(tx: Tx): Promise<Hidden[]> {
  // Raw: compares with the database's clock, and locks the rows.
  return tx.$queryRaw<Hidden[]>`
    select incident.id, incident.monitor_id as "monitorId", incident.parent_incident_id is null as "isHeld",
      coalesce(state.last_checked_at > parent.resolved_at and state.recoveries = 0, true)
        or parent.resolved_at < clock_timestamp() - ${RECOVERS_WITHIN_MS}::int * interval '1 millisecond' as "stillFails"
    from incidents incident
    left join incidents parent on parent.id = incident.parent_incident_id
    left join monitor_states state on state.monitor_id = incident.monitor_id and state.region = ''
    where incident.open_key is not null and (incident.held_until <= clock_timestamp() or parent.status = 'resolved')
    order by incident.id limit ${AT_ONCE}::int
    for no key update of incident`;
}

/** Whether incidents that were not told are below these. */
export async function hasBelow(tx: Tx, incidentIds: string[]): Promise<boolean> {
  const where = { parentIncidentId: { in: incidentIds }, status: { not: 'resolved' as const } };
  return (await tx.incident.findFirst({ where, select: { id: true } })) !== null;
}
