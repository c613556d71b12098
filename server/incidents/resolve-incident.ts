import type { TeamContext } from '@/server/auth/contexts';
import { newId } from '@/server/platform/ids';
import { incidentResolved } from './acknowledge-incident';
import { announce } from './events';
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
    const now = new Date();
    const changed = await tx.incident.updateMany({
      where: { id: input.id, teamId: team.id, status: { not: 'resolved' } },
      data: { status: 'resolved', openKey: null, resolvedAt: now },
    });
    const row = await tx.incident.findFirst({ where: { id: input.id, teamId: team.id } });
    if (!row) throw incidentNotFound();
    if (changed.count === 0) throw incidentResolved();
    const authorName = user.name ?? user.email;
    await tx.incidentUpdate.create({
      data: {
        id: newId(),
        incidentId: row.id,
        kind: 'resolved',
        message: `${authorName} resolved it.`,
        authorName,
        at: now,
      },
    });
    await announce(tx, 'incident.resolved', [row]);
    return toIncident(row);
  });
}
