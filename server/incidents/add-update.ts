import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import type { TeamContext } from '@/server/trpc/contexts';
import { incidentResolved } from './acknowledge-incident';
import { auditIncident } from './audit-incident';
import { incidentNotFound } from './queries';
import type { AddUpdateInput, IncidentUpdate } from './schema';
import { incidentInclude, toUpdate } from './to-incident';

/** Adds an update to an unresolved incident. @throws AppError NOT_FOUND, VALIDATION_ERROR (the incident is resolved) */
export async function addUpdate({
  ctx,
  input: { id, message, isPublic = false },
}: {
  ctx: TeamContext;
  input: AddUpdateInput;
}): Promise<IncidentUpdate> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // Locks the row, so that no update is added after the resolution.
    const changed = await tx.incident.updateMany({
      where: { id, teamId: team.id, status: { not: 'resolved' } },
      data: { updatedAt: new Date() },
    });
    const incident = await tx.incident.findFirst({ where: { id, teamId: team.id }, include: incidentInclude });
    if (!incident) throw incidentNotFound();
    if (changed.count === 0) throw incidentResolved();
    const row = await tx.incidentUpdate.create({
      data: {
        id: newId(),
        incidentId: id,
        kind: 'note',
        message,
        authorName: user.name ?? user.email,
        isPublic,
        at: new Date(),
      },
    });
    await auditIncident(tx, ctx, 'incident.note', incident, null, { message, isPublic });
    await notify(tx, { team: team.id, kind: 'incident', ids: [id] });
    return toUpdate(row);
  });
}
