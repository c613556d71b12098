import type { Opening } from '@/server/notifications/acknowledgments/acknowledge-link';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { holdMember, lockIncidents } from '@/server/platform/locks';
import type { OnOneObject, VerbContext } from '@/server/trpc/contexts';
import { findIncidents } from '../affected-queries';
import { auditIncidents } from '../audit-incident';
import { enqueueNotifications } from '../events';
import { incidentNotFound, insertUpdates } from '../queries';
import type { Incident } from '../schema';
import { type IncidentRow, toIncident } from '../to-incident';

/** An incident after an action, and whether this call changed it. */
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
 * Acknowledges the open ones of these incidents and notifies their channels; skips the others. A member who acknowledges becomes the assignee of
 * incidents without one.
 * @param openings acknowledges only incidents with these numbers of reopenings, which leaves out those reopened since
 * @returns the current state of all given incidents of the team
 */
export async function acknowledgeAll(
  tx: Tx,
  ctx: VerbContext,
  { ids, teamId, authorName }: ActOnIncidents,
  openings?: Opening[],
): Promise<ActedOn[]> {
  const since = openings && { OR: openings.map(({ incidentId: id, opening: reopenings }) => ({ id, reopenings })) };
  const now = new Date();
  // A script does not work on the incident, so the creator of its API key does not become the assignee.
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
  const found = await findIncidents(tx, { id: { in: ids }, teamId });
  const rows = found.filter(({ id }) => changedIds.includes(id));
  await insertUpdates(
    tx,
    rows.map(({ id }) => {
      const message = `${authorName} acknowledged the incident.`;
      return { incidentId: id, kind: 'acknowledged', message, authorName, at: now };
    }),
  );
  // Without an account or an API key, the audit entry contains the name given by the channel.
  const by = ctx.actor.kind === 'anonymous' ? { acknowledgedBy: authorName } : {};
  const changes = rows.map((row) => ({ before: { ...row, status: 'open' as const }, after: row }));
  await auditIncidents(tx, ctx, 'incident.acknowledge', changes, by);
  await enqueueNotifications(tx, 'incident.acknowledged', rows, () => ({ actor: authorName }));
  return found.map((row) => ({ row, isChanged: changedIds.includes(row.id) }));
}

/** Returns the error for an action that a resolved incident does not allow. */
export function incidentResolved(): AppError {
  return new AppError('VALIDATION_ERROR', 'A resolved incident cannot be changed.', {
    issues: [{ path: 'id', message: 'The incident is already resolved.' }],
  });
}
