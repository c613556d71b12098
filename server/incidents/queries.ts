import { parseCursor } from '@/server/platform/cursor';
import type { Db, Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { IncidentUpdateKind } from '@/server/platform/generated/prisma/enums';
import { newId } from '@/server/platform/ids';
import { openKey, type Subject } from './open-key';
import type { Incident, IncidentUpdate, ListUpdatesInput } from './schema';
import { type IncidentRow, incidentInclude, toIncident, toUpdate } from './to-incident';

export function incidentNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such incident.');
}

/**
 * Returns a page of an incident's timeline, latest first.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (cursor)
 */
export async function listUpdates(
  db: Db,
  teamId: string,
  { id, limit, cursor }: ListUpdatesInput,
): Promise<{ updates: IncidentUpdate[]; nextCursor: string | null }> {
  const last = cursor === undefined ? null : parseCursor(cursor);
  const incident = await db.incident.findFirst({
    where: { id, teamId },
    select: {
      updates: {
        // The first condition limits the index scan.
        where: last ? { at: { lte: last.at }, OR: [{ at: { lt: last.at } }, { id: { lt: last.id } }] } : {},
        orderBy: [{ at: 'desc' }, { id: 'desc' }],
        take: limit + 1,
      },
    },
  });
  if (!incident) throw incidentNotFound();
  const page = incident.updates.slice(0, limit);
  const end = page.at(-1);
  const more = incident.updates.length > limit && end;
  return { updates: page.map(toUpdate), nextCursor: more ? `${end.at.toISOString()}_${end.id}` : null };
}

/**
 * Selects incidents whose team exists; a job deletes those of deleted teams. Names a field, because Prisma drops a relation condition without one.
 */
export const ofExistingTeam = { team: { id: { not: '' } } };

/** Returns the names of monitors for a sentence: sorted, separated by commas. */
export async function monitorNames(tx: Tx, ids: string[]): Promise<string> {
  const rows = await tx.monitor.findMany({
    where: { id: { in: ids } },
    select: { name: true },
    orderBy: { name: 'asc' },
  });
  return rows.map(({ name }) => name).join(', ');
}

/**
 * Returns an incident of the team.
 * @throws AppError NOT_FOUND
 */
export async function readIncident(db: Db, teamId: string, id: string): Promise<Incident> {
  const row = await db.incident.findFirst({ where: { id, teamId }, include: incidentInclude });
  if (!row) throw incidentNotFound();
  return toIncident(row);
}

/**
 * Inserts open incidents. Skips an incident if an unresolved one has the same `openKey`.
 * @returns the IDs of the inserted incidents
 */
export async function insertIncidents(
  tx: Tx,
  rows: Pick<
    IncidentRow,
    'id' | 'teamId' | 'monitorId' | 'type' | 'severity' | 'openKey' | 'title' | 'cause' | 'startedAt'
  >[],
): Promise<string[]> {
  // Raw: a model call takes many times the CPU for hundreds of rows, while an outage is recorded.
  const written = await tx.$queryRaw<{ id: string }[]>`
    insert into incidents (id, team_id, monitor_id, type, status, severity, open_key, title, cause, started_at)
    select i.id, i.team_id, i.monitor_id, i.type::incident_type, 'open', i.severity::incident_severity, i.open_key, i.title,
      i.cause, i.started_at
    from unnest(
      ${rows.map(({ id }) => id)}::text[],
      ${rows.map(({ teamId }) => teamId)}::text[],
      ${rows.map(({ monitorId }) => monitorId)}::text[],
      ${rows.map(({ type }) => type)}::text[],
      ${rows.map(({ severity }) => severity)}::text[],
      ${rows.map(({ openKey: key }) => key)}::text[],
      ${rows.map(({ title }) => title)}::text[],
      ${rows.map(({ cause }) => cause)}::text[],
      ${rows.map(({ startedAt }) => startedAt)}::timestamptz[]
    ) as i (id, team_id, monitor_id, type, severity, open_key, title, cause, started_at)
    on conflict do nothing
    returning id`;
  return written.map(({ id }) => id);
}

/** A line of an incident's timeline. `dedupeKey` identifies lines of which an incident has at most one. */
export interface Line {
  incidentId: string;
  kind: IncidentUpdateKind;
  message: string;
  at: Date;
  authorName?: string;
  dedupeKey?: string | undefined;
}

/** Inserts lines into the timelines of incidents. Skips a line if the incident already has one with the same `dedupeKey`. */
export async function insertUpdates(tx: Tx, lines: Line[]): Promise<void> {
  if (lines.length === 0) return;
  // Raw: a model call takes many times the CPU for hundreds of rows, while an outage is recorded or a bulk call holds locks.
  await tx.$executeRaw`
    insert into incident_updates (id, incident_id, kind, message, at, author_name, dedupe_key)
    select u.id, u.incident_id, u.kind::incident_update_kind, u.message, u.at, u.author_name, u.dedupe_key from unnest(
      ${lines.map(() => newId())}::text[],
      ${lines.map(({ incidentId }) => incidentId)}::text[],
      ${lines.map(({ kind }) => kind)}::text[],
      ${lines.map(({ message }) => message)}::text[],
      ${lines.map(({ at }) => at)}::timestamptz[],
      ${lines.map(({ authorName = null }) => authorName)}::text[],
      ${lines.map(({ dedupeKey = null }) => dedupeKey)}::text[]
    ) as u (id, incident_id, kind, message, at, author_name, dedupe_key)
    on conflict (incident_id, dedupe_key) do nothing`;
}

/**
 * Resolves the unresolved incidents of these monitors and subjects.
 * @returns the IDs of the resolved incidents, each with the message of its item
 */
export function resolveByKey(
  tx: Tx,
  items: { monitorId: string; subject: Subject; resolvedAt: Date; message: string }[],
): Promise<{ id: string; message: string }[]> {
  const keys = items.map(({ monitorId, subject }) => openKey(monitorId, subject));
  const times = items.map(({ resolvedAt }) => resolvedAt.toISOString());
  const messages = items.map(({ message }) => message);
  // Raw: one statement sets a different time in each row, not before the row's start, and locks the rows in the order of `lockIncidents`.
  return tx.$queryRaw`
    with locked as materialized (
      select id, open_key from incidents where open_key = any(${keys}::text[]) order by id for no key update
    )
    update incidents set status = 'resolved', open_key = null, updated_at = now(),
      resolved_at = greatest(done.resolved_at, started_at)
    from locked
    join unnest(${keys}::text[], ${times}::timestamptz[], ${messages}::text[]) as done (open_key, resolved_at, message)
      on done.open_key = locked.open_key
    where incidents.id = locked.id
    returning incidents.id, done.message`;
}

/**
 * Restores the status and key of resolved incidents. Skips incidents that do not have this `resolvedAt` any more. The caller has locked them.
 * @returns the IDs of the reopened incidents
 */
export async function reopenResolved(
  tx: Tx,
  ended: { id: string; status: string; openKey: string; resolvedAt: Date }[],
): Promise<string[]> {
  // Raw: one statement sets a different status and key in each row.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    update incidents set status = was.status::incident_status, open_key = was."openKey", resolved_at = null,
      updated_at = now()
    from jsonb_to_recordset(${JSON.stringify(ended)}::jsonb)
      as was (id text, status text, "openKey" text, "resolvedAt" timestamptz)
    where incidents.id = was.id and incidents.status = 'resolved' and incidents.resolved_at = was."resolvedAt"
    returning incidents.id`;
  return rows.map(({ id }) => id);
}

/**
 * Drops recoveries that are held until the end of maintenance, after the incidents that they would resolve were resolved manually. A later failure
 * then opens another incident. The stored `told` is the incident that was open before.
 */
export async function dropHeldRecoveries(tx: Tx, monitorIds: string[]): Promise<void> {
  // Raw: sets two keys of a JSON column.
  await tx.$executeRaw`
    update monitor_states set held = held || '{"told": null, "resolve": null}'
    where monitor_id = any(${monitorIds}) and region = '' and held is not null`;
}

/**
 * Sets a column to null in the latest incidents that match `ofValue`, at most `limit`.
 * @returns the number of changed incidents
 */
function clearColumn(db: Db, column: Prisma.Sql, ofValue: Prisma.Sql, limit: number): Promise<number> {
  // Raw: keeps `updated_at`, because the incidents were not edited. Locks the rows in the order of `lockIncidents`.
  return db.$executeRaw`
    with latest as materialized (
      select id from incidents where ${ofValue} order by started_at desc limit ${limit}::int
    ), locked as materialized (
      select id from incidents where id in (select id from latest) order by id for no key update
    )
    update incidents set ${column} = null from locked where incidents.id = locked.id`;
}

/** Removes a monitor as the first one of its latest incidents, at most `limit`. Returns the number of changed incidents. */
export function forgetMonitor(db: Db, monitorId: string, limit: number): Promise<number> {
  return clearColumn(db, Prisma.sql`monitor_id`, Prisma.sql`monitor_id = ${monitorId}`, limit);
}

/** Removes an assignee from the latest incidents of a team, at most `limit`. Returns the number of changed incidents. */
export function forgetAssignee(db: Db, of: { teamId: string; userId: string }, limit: number): Promise<number> {
  const ofValue = Prisma.sql`team_id = ${of.teamId} and assignee_id = ${of.userId}`;
  return clearColumn(db, Prisma.sql`assignee_id`, ofValue, limit);
}
