import { notify } from '@/server/platform/listen';
import { lockIncident } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { incidentResolved } from './acknowledgments/acknowledge-incident';
import { auditIncident } from './audit-incident';
import { incidentNotFound } from './queries';
import type { Incident, UpdateIncidentInput } from './schema';
import { incidentInclude, toIncident } from './to-incident';

/**
 * Updates the title or cause of an unresolved incident.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (the incident is resolved)
 */
export async function updateIncident({ ctx, input }: Call<UpdateIncidentInput>): Promise<Incident> {
  const { team } = ctx;
  const { id, title, cause } = input;
  return ctx.db.$transaction(async (tx) => {
    // Locks the incident, so that the audit log's "before" is the state that this change replaced.
    await lockIncident(tx, team.id, id);
    const before = await tx.incident.findFirst({ where: { id, teamId: team.id }, include: incidentInclude });
    const changed = await tx.incident.updateMany({
      where: { id, teamId: team.id, status: { not: 'resolved' } },
      data: { ...(title !== undefined && { title }), ...(cause !== undefined && { cause }) },
    });
    const row = await tx.incident.findFirst({ where: { id, teamId: team.id }, include: incidentInclude });
    if (!row) throw incidentNotFound();
    if (changed.count === 0) throw incidentResolved();
    await auditIncident(tx, ctx, 'incident.update', row, before);
    await notify(tx, { team: team.id, kind: 'incident', ids: [id] });
    return toIncident(row);
  });
}
