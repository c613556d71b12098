import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { holdMonitors } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { auditIncident } from './audit-incident';
import { enqueueNotifications } from './events';
import type { CreateIncidentInput, Incident } from './schema';
import { toIncident } from './to-incident';

/** Locked until the transaction ends, so that the monitor cannot be deleted before the incident references it. */
async function assertMonitor(tx: Tx, teamId: string, monitorId: string): Promise<void> {
  const held = await holdMonitors(tx, teamId, [monitorId]);
  if (!held.has(monitorId)) throw invalidField('monitorId', 'There is no such monitor in this team.');
}

/**
 * Creates an incident manually and notifies the channels of its monitor, or all channels of the team without a
 * monitor. Only a person or a script resolves it. @throws AppError VALIDATION_ERROR (the monitor does not belong to
 * the team)
 */
export async function createIncident({
  ctx,
  input,
}: {
  ctx: TeamContext;
  input: CreateIncidentInput;
}): Promise<Incident> {
  const { team, user } = ctx;
  const { title, cause = null, monitorId = null, type, severity } = input;
  return ctx.db.$transaction(async (tx) => {
    if (monitorId !== null) await assertMonitor(tx, team.id, monitorId);
    const id = newId();
    const startedAt = new Date();
    const row = await tx.incident.create({
      data: {
        id,
        teamId: team.id,
        monitorId,
        type,
        status: 'open',
        severity,
        openKey: `by-hand:${id}`,
        title,
        cause,
        startedAt,
        createdAt: startedAt,
      },
    });
    await tx.incidentUpdate.create({
      data: {
        id: newId(),
        incidentId: id,
        kind: 'opened',
        message: cause ?? title,
        authorName: user.name ?? user.email,
        at: startedAt,
      },
    });
    await auditIncident(tx, ctx, 'incident.create', row);
    await enqueueNotifications(tx, 'incident.opened', [row]);
    return toIncident(row);
  });
}
