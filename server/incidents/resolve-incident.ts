import type { Tx } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { lockIncidents, lockMonitorStatesOfIncidents } from '@/server/platform/locks';
import type { OnOneObject, VerbContext } from '@/server/trpc/contexts';
import { type ActedOn, type ActOnIncidents, incidentResolved } from './acknowledge-incident';
import { auditIncident } from './audit-incident';
import { enqueueNotifications } from './events';
import { openKey } from './open-key';
import { forgetHeldEnds, incidentNotFound } from './queries';
import type { Incident } from './schema';
import { type IncidentRow, incidentInclude, toIncident } from './to-incident';

/**
 * Resolves an incident manually. If the monitor is still down, its next confirmed failure opens a new one. @throws
 * AppError NOT_FOUND, VALIDATION_ERROR (already resolved)
 */
export async function resolveIncident({ ctx, input: { id } }: OnOneObject): Promise<Incident> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const by = { ids: [id], teamId: team.id, authorName: user.name ?? user.email };
    const [found] = await resolveAll(tx, ctx, by);
    if (!found) throw incidentNotFound();
    if (!found.isChanged) throw incidentResolved();
    return toIncident(found.row);
  });
}

/**
 * Resolves those of the incidents that are unresolved, in somebody's name, and notifies their channels; changes nothing in the others.
 * @returns the incidents of the team as they are then
 */
export async function resolveAll(
  tx: Tx,
  ctx: VerbContext,
  { ids, teamId, authorName }: ActOnIncidents,
): Promise<ActedOn[]> {
  // Locks the states of monitors first, in the same order as the recorder, to avoid deadlocks.
  await lockMonitorStatesOfIncidents(tx, teamId, ids);
  // Locked, so that the audit log's "before" is the state at the resolution.
  await lockIncidents(tx, teamId, ids);
  const read = () => tx.incident.findMany({ where: { id: { in: ids }, teamId }, include: incidentInclude });
  const before = new Map((await read()).map((row) => [row.id, row]));
  const now = new Date();
  const changed = await tx.incident.updateManyAndReturn({
    where: { id: { in: ids }, teamId, status: { not: 'resolved' } },
    data: { status: 'resolved', openKey: null, resolvedAt: now },
    select: { id: true },
  });
  const changedIds = new Set(changed.map(({ id }) => id));
  const found = await read();
  const rows = found.filter(({ id }) => changedIds.has(id));
  await letChecksOpenAnother(
    tx,
    [...before.values()].filter(({ id }) => changedIds.has(id)),
  );
  await tx.incidentUpdate.createMany({
    data: rows.map(({ id }) => ({
      ...{ id: newId(), incidentId: id, kind: 'resolved' as const },
      ...{ message: `${authorName} resolved the incident.`, authorName, at: now },
    })),
  });
  for (const row of rows) await auditIncident(tx, ctx, 'incident.resolve', row, before.get(row.id));
  await enqueueNotifications(tx, 'incident.resolved', rows, () => ({ resolution: 'manual', actor: authorName }));
  return found.map((row) => ({ row, isChanged: changedIds.has(row.id) }));
}

/** Clears the open incident in the state of each monitor whose status it was about: the next failing check opens another one. */
async function letChecksOpenAnother(tx: Tx, resolved: IncidentRow[]): Promise<void> {
  const monitorIds = resolved.flatMap(({ monitorId, openKey: key }) =>
    monitorId !== null && key === openKey(monitorId, 'status') ? [monitorId] : [],
  );
  if (monitorIds.length === 0) return;
  await tx.monitorState.updateMany({
    where: { monitorId: { in: monitorIds }, region: '' },
    data: { openIncident: null, changes: [], steadySince: null, revision: { increment: 1 } },
  });
  await forgetHeldEnds(tx, monitorIds);
}
