import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { holdComponents, holdMonitors, holdTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { auditIncident } from './audit-incident';
import { enqueueNotifications } from './events';
import { monitorNames } from './queries';
import type { CreateIncidentInput, Incident, IncidentType } from './schema';
import { componentsOf, type IncidentRow, incidentInclude, monitorIdsOf, toIncident } from './to-incident';

/**
 * Checks that monitors belong to the team, and locks them against deletion until the incident references them.
 * @param path the input field that the error names
 * @throws AppError VALIDATION_ERROR
 */
export async function assertMonitors(tx: Tx, teamId: string, ids: string[], path = 'monitorIds'): Promise<void> {
  if (ids.length === 0) return;
  const held = await holdMonitors(tx, teamId, ids);
  if (!ids.every((id) => held.has(id))) throw invalidField(path, 'There is no such monitor in this team.');
}

/** Returns the text of the first update of an incident without a cause: which monitors and components it affects. */
async function affectedLine(tx: Tx, row: IncidentRow): Promise<string> {
  const monitorIds = monitorIdsOf(row);
  const monitors = monitorIds.length > 0 ? [await monitorNames(tx, monitorIds)] : [];
  const names = [...monitors, ...componentsOf(row).map(({ name }) => name)];
  return names.length > 0 ? `Affects ${names.join(', ')}.` : 'Affects no specific monitor.';
}

/**
 * Checks that components belong to the team, and locks them against deletion until the incident references them. Only manual incidents have
 * components, because checks only know monitors.
 * @throws AppError VALIDATION_ERROR
 */
export async function assertComponents(tx: Tx, teamId: string, type: IncidentType, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  if (type !== 'manual') throw invalidField('componentIds', 'Only an incident of type manual can name components.');
  const held = await holdComponents(tx, teamId, ids);
  if (!ids.every((id) => held.has(id))) throw invalidField('componentIds', 'There is no such component in this team.');
}

/**
 * Creates a manual incident and notifies the channels of its monitors, or all channels of the team if it has none. Checks never resolve it.
 * @throws AppError VALIDATION_ERROR (a monitor or a component does not belong to the team, the type allows no components, or both `monitorId` and
 * `monitorIds` are given)
 */
export async function createIncident({ ctx, input }: Call<CreateIncidentInput>): Promise<Incident> {
  const { team, user } = ctx;
  const { title, cause = null, type, severity, componentIds = [] } = input;
  if (input.monitorIds && input.monitorId) throw invalidField('monitorId', 'Send monitorId or monitorIds, not both.');
  const monitorIds = input.monitorIds ?? (input.monitorId ? [input.monitorId] : []);
  const [monitorId = null, ...further] = monitorIds;
  return ctx.db.$transaction(async (tx) => {
    await assertComponents(tx, team.id, type, componentIds);
    await assertMonitors(tx, team.id, monitorIds, input.monitorId ? 'monitorId' : 'monitorIds');
    await holdTeam(tx, team.id);
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
        furtherMonitors: { create: further.map((each) => ({ monitorId: each })) },
        components: { create: componentIds.map((componentId) => ({ componentId })) },
      },
      include: incidentInclude,
    });
    await tx.incidentUpdate.create({
      data: {
        id: newId(),
        incidentId: id,
        kind: 'opened',
        message: cause ?? (await affectedLine(tx, row)),
        authorName: user.name ?? user.email,
        at: startedAt,
      },
    });
    await auditIncident(tx, ctx, 'incident.create', row);
    await enqueueNotifications(tx, 'incident.opened', [row]);
    return toIncident(row);
  });
}
