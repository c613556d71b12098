import { isDeepStrictEqual } from 'node:util';
import { newId } from '@/server/platform/ids';
import { notify } from '@/server/platform/listen';
import { lockIncident } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { auditIncident } from './audit-incident';
import { incidentNotFound } from './queries';
import type { EditIncidentInput, Incident } from './schema';
import { type IncidentRow, toIncident } from './to-incident';

/** What somebody changed, each as a line of the timeline. */
function changeLines(actor: string, before: IncidentRow, after: IncidentRow): string[] {
  return [
    ...(before.title === after.title ? [] : [`${actor} changed the title to “${after.title ?? ''}”.`]),
    ...(before.cause === after.cause
      ? []
      : [after.cause ? `${actor} changed the cause.` : `${actor} removed the cause.`]),
    ...(before.severity === after.severity
      ? []
      : [`${actor} changed the severity from ${before.severity} to ${after.severity}.`]),
  ];
}

/**
 * Changes an incident in any status, with a line in its timeline for each change. Sends no notifications; an input that
 * changes nothing writes nothing. @throws AppError NOT_FOUND
 */
export async function editIncident({ ctx, input }: { ctx: TeamContext; input: EditIncidentInput }): Promise<Incident> {
  const { team, user } = ctx;
  const { id, title, cause, severity } = input;
  return ctx.db.$transaction(async (tx) => {
    await lockIncident(tx, team.id, id);
    const before = await tx.incident.findFirst({ where: { id, teamId: team.id } });
    if (!before) throw incidentNotFound();
    const changes = Object.fromEntries(
      Object.entries({ title, cause, severity }).filter(
        ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before[field as keyof IncidentRow]),
      ),
    );
    if (Object.keys(changes).length === 0) return toIncident(before);
    const row = await tx.incident.update({ where: { id }, data: changes });
    const authorName = user.name ?? user.email;
    const at = new Date();
    await tx.incidentUpdate.createMany({
      data: changeLines(authorName, before, row).map((message) => ({
        ...{ id: newId(), incidentId: id, kind: 'changed' as const, message, authorName, at },
      })),
    });
    await auditIncident(tx, ctx, 'incident.update', row, before);
    await notify(tx, { team: team.id, kind: 'incident', ids: [id] });
    return toIncident(row);
  });
}
