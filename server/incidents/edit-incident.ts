import { isDeepStrictEqual } from 'node:util';
import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { notify } from '@/server/platform/listen';
import { holdMember, lockIncident } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { incidentResolved } from './acknowledgments/acknowledge-incident';
import { auditIncident } from './audit-incident';
import { assertComponents, assertMonitors } from './create-incident';
import { replanEscalations } from './escalations/replan-escalations';
import { notifyPages } from './events';
import { incidentNotFound, insertUpdates, monitorNames } from './queries';
import type { EditIncidentInput, Incident, NamedComponent } from './schema';
import { componentsOf, type IncidentRow, incidentInclude, monitorIdsOf, toIncident } from './to-incident';
import { assertRoom } from './updates/assert-room';

async function assignmentLine(tx: Tx, actor: string, { assigneeId }: IncidentRow, userId: string): Promise<string> {
  if (assigneeId === null) return `${actor} removed the assignee.`;
  if (assigneeId === userId) return `${actor} took the incident.`;
  const { name, email } = await tx.user.findUniqueOrThrow({
    where: { id: assigneeId },
    select: { name: true, email: true },
  });
  return `${actor} assigned the incident to ${name ?? email}.`;
}

/** Returns a line about the added components, and one about the removed ones, each without the name of the actor. */
function componentLines(before: IncidentRow, after: IncidentRow): string[] {
  const [had, has] = [componentsOf(before), componentsOf(after)];
  const without = (all: NamedComponent[], others: NamedComponent[]) =>
    all.filter(({ id }) => !others.some((other) => other.id === id)).map(({ name }) => name);
  const [added, removed] = [without(has, had), without(had, has)];
  return [
    ...(added.length > 0 ? [`added the ${componentWord(added)} ${added.join(', ')}.`] : []),
    ...(removed.length > 0 ? [`removed the ${componentWord(removed)} ${removed.join(', ')}.`] : []),
  ];
}

const componentWord = ({ length }: string[]) => (length === 1 ? 'component' : 'components');

/** Returns a line of the timeline for each change. */
async function changeLines(tx: Tx, { user }: TeamContext, before: IncidentRow, after: IncidentRow): Promise<string[]> {
  const actor = user.name ?? user.email;
  const lines: string[] = [];
  if (before.title !== after.title) lines.push(`${actor} changed the title to “${after.title ?? ''}”.`);
  if (before.cause !== after.cause) lines.push(`${actor} ${after.cause ? 'changed' : 'removed'} the cause.`);
  if (before.severity !== after.severity) {
    lines.push(`${actor} changed the severity from ${before.severity} to ${after.severity}.`);
  }
  if (before.assigneeId !== after.assigneeId) lines.push(await assignmentLine(tx, actor, after, user.id));
  const [had, has] = [monitorIdsOf(before), monitorIdsOf(after)];
  const added = has.filter((id) => !had.includes(id));
  const removed = had.filter((id) => !has.includes(id));
  if (added.length > 0) lines.push(`${actor} added ${await monitorNames(tx, added)}.`);
  if (removed.length > 0) lines.push(`${actor} removed ${await monitorNames(tx, removed)}.`);
  const named = componentLines(before, after);
  lines.push(...named.map((line) => `${actor} ${line}`));
  return lines;
}

/**
 * Returns the data that replaces the monitors of an incident.
 * @throws AppError VALIDATION_ERROR if the first monitor of an incident that checks opened would change, because its key contains it
 */
function toMonitorColumns(before: IncidentRow, ids: string[]) {
  const isByChecks = before.type !== 'manual' && before.monitorId !== null && !before.openKey?.startsWith('by-hand:');
  if (isByChecks && ids[0] !== before.monitorId) {
    throw invalidField('monitorIds', 'The monitor whose checks opened the incident stays the first.');
  }
  const [monitorId = null, ...further] = ids;
  return {
    monitorId,
    furtherMonitors: { deleteMany: {}, create: further.map((each) => ({ monitorId: each })) },
  };
}

/**
 * Changes an incident, with a line in its timeline for each change. Title and cause of a resolved incident cannot change. Sends no notifications.
 * Writes nothing if nothing changes.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (a monitor, a component or an assignee does not belong to the team, the title or cause of a
 * resolved incident would change, or it has too many updates)
 */
export async function editIncident({ ctx, input }: Call<EditIncidentInput>): Promise<Incident> {
  const { team, user } = ctx;
  const { id, title, cause, severity, assigneeId, monitorIds, componentIds } = input;
  return ctx.db.$transaction(async (tx) => {
    if (assigneeId && !(await holdMember(tx, team.id, assigneeId))) {
      throw invalidField('assigneeId', 'There is no such member in this team.');
    }
    // The type never changes, so it can be read before the incident is locked. Monitors and components precede incidents in the lock order.
    const found = await tx.incident.findFirst({ where: { id, teamId: team.id }, select: { type: true } });
    if (!found) throw incidentNotFound();
    await assertComponents(tx, team.id, found.type, componentIds ?? []);
    await assertMonitors(tx, team.id, monitorIds ?? []);
    await lockIncident(tx, team.id, id);
    const before = await tx.incident.findFirst({ where: { id, teamId: team.id }, include: incidentInclude });
    if (!before) throw incidentNotFound();
    const changes = Object.fromEntries(
      Object.entries({ title, cause, severity, assigneeId }).filter(
        ([field, value]) => value !== undefined && !isDeepStrictEqual(value, before[field as keyof IncidentRow]),
      ),
    );
    const had = monitorIdsOf(before);
    const isSame = monitorIds?.[0] === had[0] && isDeepStrictEqual(new Set(monitorIds), new Set(had));
    const isMoved = monitorIds !== undefined && !isSame;
    const named = new Set(componentsOf(before).map((each) => each.id));
    const areOthers = componentIds !== undefined && !isDeepStrictEqual(new Set(componentIds), named);
    if (Object.keys(changes).length === 0 && !isMoved && !areOthers) return toIncident(before);
    if (before.status === 'resolved' && ('title' in changes || 'cause' in changes)) throw incidentResolved();
    await assertRoom(tx, id);
    const data = {
      ...changes,
      ...(isMoved && toMonitorColumns(before, monitorIds)),
      ...(areOthers && {
        components: { deleteMany: {}, create: componentIds.map((componentId) => ({ componentId })) },
      }),
    };
    const row = await tx.incident.update({ where: { id }, data, include: incidentInclude });
    const authorName = user.name ?? user.email;
    const at = new Date();
    await insertUpdates(
      tx,
      (await changeLines(tx, ctx, before, row)).map((message) => {
        return { incidentId: id, kind: 'changed', message, authorName, at };
      }),
    );
    await auditIncident(tx, ctx, 'incident.update', row, before);
    await notify(tx, { team: team.id, kind: 'incident', ids: [id] });
    if (isMoved) {
      await notify(tx, { team: team.id, kind: 'monitor', ids: [...new Set([...had, ...monitorIdsOf(row)])] });
      // The previous monitor may have held the escalation, because it was in maintenance or paused.
      await replanEscalations(tx, team.id, { id }, await databaseNow(tx));
    }
    await notifyPages(tx, [before, row]);
    return toIncident(row);
  });
}
