import { newId } from '@/server/platform/ids';
import { lockIncident, lockMonitorStateOfIncident } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { incidentResolved } from './acknowledge-incident';
import { auditIncident } from './audit-incident';
import { announce } from './events';
import { openKey } from './open-key';
import { incidentNotFound } from './queries';
import type { Incident } from './schema';
import { toIncident } from './to-incident';

/**
 * Resolves an incident by hand. Where the monitor is still down, its next confirmed failure opens a new one.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it is resolved already)
 */
export async function resolveIncident({ ctx, input }: { ctx: TeamContext; input: { id: string } }): Promise<Incident> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // The monitor's state is locked first, as the recording of results does: one order, no deadlock.
    await lockMonitorStateOfIncident(tx, team.id, input.id);
    // Locked, so that the audit log's "before" is what the incident was when it was resolved.
    await lockIncident(tx, team.id, input.id);
    const before = await tx.incident.findFirst({ where: { id: input.id, teamId: team.id } });
    const now = new Date();
    const changed = await tx.incident.updateMany({
      where: { id: input.id, teamId: team.id, status: { not: 'resolved' } },
      data: { status: 'resolved', openKey: null, resolvedAt: now },
    });
    const row = await tx.incident.findFirst({ where: { id: input.id, teamId: team.id } });
    if (!row) throw incidentNotFound();
    if (changed.count === 0) throw incidentResolved();
    if (row.monitorId !== null && before?.openKey === openKey(row.monitorId, 'status')) {
      // The monitor's state forgets what its checks opened, so that the next failing one opens a new incident.
      await tx.monitorState.updateMany({
        where: { monitorId: row.monitorId },
        data: { openIncident: null, changes: [], steadySince: null, revision: { increment: 1 } },
      });
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
    await announce(tx, 'incident.resolved', [row]);
    return toIncident(row);
  });
}
