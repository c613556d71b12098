import type { Opening } from '@/server/notifications/acknowledge-link';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { holdMember, lockIncidents } from '@/server/platform/locks';
import type { OnOneObject, VerbContext } from '@/server/trpc/contexts';
import { auditIncidents } from './audit-incident';
import { enqueueNotifications } from './events';
import { incidentNotFound } from './queries';
import type { Incident } from './schema';
import { type IncidentRow, incidentInclude, toIncident } from './to-incident';

/** An incident as it is after an action, and whether this call changed it. */
export interface ActedOn {
  row: IncidentRow;
  isChanged: boolean;
}

/** Several incidents of one team, and the name of the person or script that acts on them. */
export interface ActOnIncidents {
  ids: string[];
  teamId: string;
  authorName: string;
}

/**
 * Acknowledges an incident and notifies its channels. A repeated call changes nothing and sends no notifications.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it is resolved)
 */
export async function acknowledgeIncident({ ctx, input: { id } }: OnOneObject): Promise<Incident> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const [found] = await acknowledgeAll(tx, ctx, { ids: [id], teamId: team.id, authorName: user.name ?? user.email });
    if (!found) throw incidentNotFound();
    if (found.row.status === 'resolved') throw incidentResolved();
    return toIncident(found.row);
  });
}

/**
 * Acknowledges those of the incidents that are open, in somebody's name, and notifies their channels; changes nothing in the others. A
 * member who does so becomes the assignee of those that have none.
 * @param openings leaves out incidents that were reopened since
 * @returns the incidents of the team as they are then
 */
export async function acknowledgeAll(
  tx: Tx,
  ctx: VerbContext,
  { ids, teamId, authorName }: ActOnIncidents,
  openings?: Opening[],
): Promise<ActedOn[]> {
  const since = openings && { OR: openings.map(({ incidentId: id, opening: reopenings }) => ({ id, reopenings })) };
  const now = new Date();
  // A script acts for nobody, so its key's creator does not get the incident.
  const userId = ctx.actor.kind === 'user' ? ctx.actor.user.id : null;
  const isMember = userId !== null && (await holdMember(tx, teamId, userId));
  await lockIncidents(tx, teamId, ids);
  const changed = await tx.incident.updateManyAndReturn({
    where: { id: { in: ids }, teamId, status: 'open', ...since },
    data: { status: 'acknowledged', acknowledgedAt: now },
    select: { id: true },
  });
  const changedIds = changed.map(({ id }) => id);
  if (isMember && changedIds.length > 0) {
    await tx.incident.updateMany({
      where: { id: { in: changedIds }, assigneeId: null },
      data: { assigneeId: userId },
    });
  }
  const found = await tx.incident.findMany({ where: { id: { in: ids }, teamId }, include: incidentInclude });
  const rows = found.filter(({ id }) => changedIds.includes(id));
  await tx.incidentUpdate.createMany({
    data: rows.map(({ id }) => ({
      id: newId(),
      incidentId: id,
      kind: 'acknowledged' as const,
      message: `${authorName} acknowledged the incident.`,
      authorName,
      at: now,
    })),
  });
  // Without an account or a key, the entry names nobody else.
  const by = ctx.actor.kind === 'anonymous' ? { acknowledgedBy: authorName } : {};
  const changes = rows.map((row) => ({ before: { ...row, status: 'open' as const }, after: row }));
  await auditIncidents(tx, ctx, 'incident.acknowledge', changes, by);
  await enqueueNotifications(tx, 'incident.acknowledged', rows, () => ({ actor: authorName }));
  return found.map((row) => ({ row, isChanged: changedIds.includes(row.id) }));
}

/** The error for a change to a resolved incident. */
export function incidentResolved(): AppError {
  return new AppError('VALIDATION_ERROR', 'A resolved incident cannot be changed.', {
    issues: [{ path: 'id', message: 'The incident is already resolved.' }],
  });
}
