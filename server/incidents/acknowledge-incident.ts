import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditIncident } from './audit-incident';
import { enqueueNotifications } from './events';
import { incidentNotFound } from './queries';
import type { Incident } from './schema';
import { toIncident } from './to-incident';

/**
 * Acknowledges an incident and notifies its channels. A repeated call changes nothing and sends no notifications.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it is resolved)
 */
export async function acknowledgeIncident({ ctx, input }: OnOneObject): Promise<Incident> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const now = new Date();
    const changed = await tx.incident.updateMany({
      where: { id: input.id, teamId: team.id, status: 'open' },
      data: { status: 'acknowledged', acknowledgedAt: now },
    });
    const row = await tx.incident.findFirst({ where: { id: input.id, teamId: team.id } });
    if (!row) throw incidentNotFound();
    if (row.status === 'resolved') throw incidentResolved();
    if (changed.count === 1) {
      const authorName = user.name ?? user.email;
      await tx.incidentUpdate.create({
        data: {
          id: newId(),
          incidentId: row.id,
          kind: 'acknowledged',
          message: `${authorName} acknowledged the incident.`,
          authorName,
          at: now,
        },
      });
      await auditIncident(tx, ctx, 'incident.acknowledge', row, { ...row, status: 'open' });
      await enqueueNotifications(tx, 'incident.acknowledged', [row], () => ({ actor: authorName }));
    }
    return toIncident(row);
  });
}

/** The error for a change to a resolved incident. */
export function incidentResolved(): AppError {
  return new AppError('VALIDATION_ERROR', 'A resolved incident cannot be changed.', {
    issues: [{ path: 'id', message: 'The incident is already resolved.' }],
  });
}
