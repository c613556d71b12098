import { newId } from '@/server/platform/ids';
import { lockIncident, lockMonitorStateOfIncident } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { incidentResolved } from './acknowledge-incident';
import { auditIncident } from './audit-incident';
import { enqueueNotifications } from './events';
import { openKey } from './open-key';
import { forgetHeldEnd, incidentNotFound } from './queries';
import type { Incident } from './schema';
import { incidentInclude, toIncident } from './to-incident';

/**
 * Resolves an incident manually. If the monitor is still down, its next confirmed failure opens a new one. @throws
 * AppError NOT_FOUND, VALIDATION_ERROR (already resolved)
 */
export async function resolveIncident({ ctx, input }: OnOneObject): Promise<Incident> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // Locks the monitor's state first, in the same order as the recorder, to avoid deadlocks.
    await lockMonitorStateOfIncident(tx, team.id, input.id);
    // Locked, so that the audit log's "before" is the state at the resolution.
    await lockIncident(tx, team.id, input.id);
    const before = await tx.incident.findFirst({ where: { id: input.id, teamId: team.id }, include: incidentInclude });
    const now = new Date();
    const changed = await tx.incident.updateMany({
      where: { id: input.id, teamId: team.id, status: { not: 'resolved' } },
      data: { status: 'resolved', openKey: null, resolvedAt: now },
    });
    const row = await tx.incident.findFirst({ where: { id: input.id, teamId: team.id }, include: incidentInclude });
    if (!row) throw incidentNotFound();
    if (changed.count === 0) throw incidentResolved();
    if (row.monitorId !== null && before?.openKey === openKey(row.monitorId, 'status')) {
      // Clears the open incident in the monitor's state, so that the next failing check opens a new incident.
      await tx.monitorState.updateMany({
        where: { monitorId: row.monitorId, region: '' },
        data: { openIncident: null, changes: [], steadySince: null, revision: { increment: 1 } },
      });
      await forgetHeldEnd(tx, row.monitorId);
    }
    const authorName = user.name ?? user.email;
    await tx.incidentUpdate.create({
      data: {
        id: newId(),
        incidentId: row.id,
        kind: 'resolved',
        message: `${authorName} resolved the incident.`,
        authorName,
        at: now,
      },
    });
    await auditIncident(tx, ctx, 'incident.resolve', row, before);
    await enqueueNotifications(tx, 'incident.resolved', [row], () => ({ resolution: 'manual', actor: authorName }));
    return toIncident(row);
  });
}
