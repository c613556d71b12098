import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { holdMember } from '@/server/platform/locks';
import type { OnOneObject, VerbContext } from '@/server/trpc/contexts';
import { auditIncident } from './audit-incident';
import { enqueueNotifications } from './events';
import { incidentNotFound } from './queries';
import type { Incident } from './schema';
import { type IncidentRow, incidentInclude, toIncident } from './to-incident';

/**
 * Acknowledges an incident and notifies its channels. A repeated call changes nothing and sends no notifications.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it is resolved)
 */
export async function acknowledgeIncident({ ctx, input: { id } }: OnOneObject): Promise<Incident> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const row = await acknowledgeAs(tx, ctx, { id, teamId: team.id, authorName: user.name ?? user.email });
    if (row.status === 'resolved') throw incidentResolved();
    return toIncident(row);
  });
}

/**
 * Acknowledges an open incident in somebody's name and notifies its channels; changes nothing otherwise. A member who does
 * so becomes the assignee, if it has none.
 * @returns the incident as it is then
 * @throws AppError NOT_FOUND
 */
export async function acknowledgeAs(
  tx: Tx,
  ctx: VerbContext,
  { id, teamId, authorName }: { id: string; teamId: string; authorName: string },
): Promise<IncidentRow> {
  const now = new Date();
  // A script acts for nobody, so its key's creator does not get the incident.
  const userId = ctx.actor.kind === 'user' ? ctx.actor.user.id : null;
  const isMember = userId !== null && (await holdMember(tx, teamId, userId));
  const changed = await tx.incident.updateMany({
    where: { id, teamId, status: 'open' },
    data: { status: 'acknowledged', acknowledgedAt: now },
  });
  if (changed.count === 1 && isMember) {
    await tx.incident.updateMany({ where: { id, assigneeId: null }, data: { assigneeId: userId } });
  }
  const row = await tx.incident.findFirst({ where: { id, teamId }, include: incidentInclude });
  if (!row) throw incidentNotFound();
  if (changed.count === 0) return row;
  const message = `${authorName} acknowledged the incident.`;
  await tx.incidentUpdate.create({
    data: { id: newId(), incidentId: row.id, kind: 'acknowledged', message, authorName, at: now },
  });
  // Without an account or a key, the entry names nobody else.
  const by = ctx.actor.kind === 'anonymous' ? { acknowledgedBy: authorName } : {};
  await auditIncident(tx, ctx, 'incident.acknowledge', row, { ...row, status: 'open' }, by);
  await enqueueNotifications(tx, 'incident.acknowledged', [row], () => ({ actor: authorName }));
  return row;
}

/** The error for a change to a resolved incident. */
export function incidentResolved(): AppError {
  return new AppError('VALIDATION_ERROR', 'A resolved incident cannot be changed.', {
    issues: [{ path: 'id', message: 'The incident is already resolved.' }],
  });
}
