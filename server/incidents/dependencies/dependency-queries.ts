import type { Db, Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { notifySchedule } from '@/server/platform/listen';
import { MOST_LEVELS } from './settle-job';

/** How long notifications wait for a monitor to recover after the incident of its dependency was resolved. */
const RECOVERS_WITHIN_MS = 300_000;
const AT_ONCE = 500;

/** The state of everything that a monitor depends on, directly or transitively. */
interface Dependencies {
  monitorId: string;
  /** The open downtime of the nearest dependency that has one. */
  incidentId: string | null;
  /** Whether a dependency is being confirmed down, or its state is locked because it is changing. */
  isConfirming: boolean;
  /** The oldest of the last checks of all dependencies; null if one was never checked, or is not being checked. */
  checkedAt: Date | null;
}

/** Reads the dependencies of monitors; the map has no entry for a monitor without any. Does not wait for locks: a locked state counts as changing. */
export async function findDependencies(tx: Tx, monitorIds: string[]): Promise<Map<string, Dependencies>> {
  // Raw: a recursive query over dependencies.
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
  const above = new Map<string, Dependencies>();
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

/** Makes all dependencies of monitors due for a check. Does not wait for locks: a locked state is being checked. */
export async function checkDependencies(tx: Tx, monitorIds: string[]): Promise<void> {
  // Raw: a recursive query that skips locked rows and sets times by the database's clock.
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

/** The parent of an incident, and the end of its hold. If both are null, notifications of the incident are sent. */
interface ParentChange {
  id: string;
  parentIncidentId: string | null;
  heldUntil: Date | null;
}

/** Writes the parents of incidents, in one statement per parent, because an outage may have hundreds of dependent incidents. */
export async function setParents(tx: Tx, incidents: ParentChange[]): Promise<void> {
  const groups = new Map<string, { ids: string[]; data: Omit<ParentChange, 'id'> }>();
  for (const { id, parentIncidentId, heldUntil } of incidents) {
    const key = `${parentIncidentId} ${heldUntil?.getTime()}`;
    const { ids } = groups.get(key) ?? { ids: [] };
    groups.set(key, { ids: [...ids, id], data: { parentIncidentId, heldUntil } });
  }
  for (const { ids, data } of groups.values()) await tx.incident.updateMany({ where: { id: { in: ids } }, data });
}

/** An unresolved incident that was not notified, and whose parent was resolved or whose hold has ended. */
interface Unnotified {
  id: string;
  monitorId: string | null;
  /** Whether it was held without a parent, and the hold has ended. */
  isHeld: boolean;
  /** Whether its monitor has failed in a check since the parent was resolved, or has not recovered in time. */
  stillFails: boolean;
}

/** Matches unsettled incidents (joined with their `parent`): unresolved ones whose hold has ended or whose parent was resolved. */
const isUnsettled = Prisma.sql`incident.open_key is not null
  and (incident.held_until <= clock_timestamp() or parent.status = 'resolved')`;

/** Returns the IDs of the teams with unsettled incidents. */
export async function findUnsettled(db: Db): Promise<string[]> {
  // Raw: compares with the database's clock.
  const rows = await db.$queryRaw<{ id: string }[]>`
    select distinct incident.team_id as id from incidents incident
    join teams on teams.id = incident.team_id
    left join incidents parent on parent.id = incident.parent_incident_id
    where ${isUnsettled}`;
  return rows.map(({ id }) => id);
}

/** Locks and returns up to 500 unsettled incidents of a team. If there are more, takes those whose monitor still fails first. */
export function lockUnnotified(tx: Tx, teamId: string): Promise<Unnotified[]> {
  // Raw: compares with the database's clock, and locks the rows in the order of their IDs.
  return tx.$queryRaw<Unnotified[]>`
    with unsettled as materialized (
      select incident.id,
        coalesce(state.last_checked_at > parent.resolved_at and state.turned_at is null, true)
          or parent.resolved_at < clock_timestamp() - ${RECOVERS_WITHIN_MS}::int * interval '1 millisecond' as still_fails
      from incidents incident
      left join incidents parent on parent.id = incident.parent_incident_id
      left join monitor_states state on state.monitor_id = incident.monitor_id and state.region = ''
      where incident.team_id = ${teamId} and ${isUnsettled}
      order by still_fails desc, incident.id limit ${AT_ONCE}::int
    )
    select incident.id, incident.monitor_id as "monitorId", incident.parent_incident_id is null as "isHeld",
      unsettled.still_fails as "stillFails"
    from unsettled join incidents incident on incident.id = unsettled.id
    left join incidents parent on parent.id = incident.parent_incident_id
    where ${isUnsettled}
    order by incident.id for no key update of incident`;
}

/** Returns whether any of these incidents has an unresolved dependent incident. */
export async function hasDependents(tx: Tx, incidentIds: string[]): Promise<boolean> {
  const where = { parentIncidentId: { in: incidentIds }, status: { not: 'resolved' as const } };
  return (await tx.incident.findFirst({ where, select: { id: true } })) !== null;
}
