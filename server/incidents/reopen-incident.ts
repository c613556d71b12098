import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockIncident, lockMonitorStateOfIncident } from '@/server/platform/locks';
import type { OnOneObject } from '@/server/trpc/contexts';
import { auditIncident } from './audit-incident';
import { enqueueNotifications } from './events';
import { openKey } from './open-key';
import { incidentNotFound } from './queries';
import type { Incident } from './schema';
import { type IncidentRow, incidentInclude, toIncident } from './to-incident';
import { assertRoom } from './updates/assert-room';

/**
 * Checks that no other incident about the same monitor and subject is unresolved.
 * @throws AppError INCIDENT_OPEN
 */
async function assertNoOther(tx: Tx, { monitorId, type }: IncidentRow): Promise<void> {
  if (monitorId === null || type === 'manual') return;
  const key = openKey(monitorId, type === 'certificate' ? type : 'status');
  const other = await tx.incident.findUnique({ where: { openKey: key }, select: { title: true } });
  if (!other) return;
  const name = other.title ? `“${other.title}”` : 'Another incident of this monitor';
  throw new AppError('INCIDENT_OPEN', `${name} is open. Continue there, or resolve it first.`);
}

/**
 * Reopens a resolved incident and notifies its channels. Checks never resolve it again. A new failure of its monitor opens another incident, so that
 * this one does not hide it.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (not resolved, or it has too many updates), INCIDENT_OPEN (checks have an incident open)
 */
export async function reopenIncident({ ctx, input }: OnOneObject): Promise<Incident> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    // Locks the monitor's state before the incident, like the recorder, so that checks open no incident in between.
    await lockMonitorStateOfIncident(tx, team.id, input.id);
    await lockIncident(tx, team.id, input.id);
    const before = await tx.incident.findFirst({ where: { id: input.id, teamId: team.id }, include: incidentInclude });
    if (!before) throw incidentNotFound();
    if (before.status !== 'resolved') {
      const message = 'Only a resolved incident can be reopened.';
      throw new AppError('VALIDATION_ERROR', message, { issues: [{ path: 'id', message }] });
    }
    await assertNoOther(tx, before);
    await assertRoom(tx, before.id);
    const row = await tx.incident.update({
      where: { id: before.id },
      data: {
        status: 'open',
        resolvedAt: null,
        acknowledgedAt: null,
        openKey: `by-hand:${before.id}`,
        reopenings: { increment: 1 },
      },
      include: incidentInclude,
    });
    const authorName = user.name ?? user.email;
    const message = `${authorName} reopened the incident.`;
    await tx.incidentUpdate.create({
      data: { id: newId(), incidentId: row.id, kind: 'reopened', message, authorName, at: new Date() },
    });
    await auditIncident(tx, ctx, 'incident.reopen', row, before);
    await enqueueNotifications(tx, 'incident.reopened', [row], () => ({ actor: authorName }));
    return toIncident(row);
  });
}
