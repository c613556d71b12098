import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockIncident } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { auditIncident } from '../audit-incident';
import { incidentNotFound } from '../queries';
import type { AddUpdateInput, IncidentUpdate } from '../schema';
import { incidentInclude, toUpdate } from '../to-incident';
import { assertRoom } from './assert-room';

/**
 * Adds a note to an incident in any status; status pages show it if `isPublic`. Sends no notifications.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it has too many updates)
 */
export async function addUpdate({
  ctx,
  input: { id, message, isPublic = false },
}: Call<AddUpdateInput>): Promise<IncidentUpdate> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    await lockIncident(tx, team.id, id);
    const incident = await tx.incident.findFirst({ where: { id, teamId: team.id }, include: incidentInclude });
    if (!incident) throw incidentNotFound();
    await assertRoom(tx, id);
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
