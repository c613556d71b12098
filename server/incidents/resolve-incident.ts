import type { Tx } from '@/server/platform/db';
import type { MonitorState } from '@/server/platform/generated/prisma/client';
import { lockIncidents, lockMonitorStatesOfIncidents } from '@/server/platform/locks';
import { isInside } from '@/server/time/edges';
import type { OnOneObject, VerbContext } from '@/server/trpc/contexts';
import { type ActedOn, type ActOnIncidents, incidentResolved } from './acknowledgments/acknowledge-incident';
import { findIncidents } from './affected-queries';
import { auditIncidents } from './audit-incident';
import { enqueueNotifications } from './events';
import { openKey } from './open-key';
import { dropHeldRecoveries, incidentNotFound, insertUpdates } from './queries';
import type { Incident } from './schema';
import { type IncidentRow, toIncident } from './to-incident';

/**
 * Resolves an incident manually and notifies its channels. If its monitor still fails, adds a note to the timeline: the next failing check opens
 * another incident with the true start of the outage.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (already resolved)
 */
export async function resolveIncident({ ctx, input: { id } }: OnOneObject): Promise<Incident> {
  const { team, user } = ctx;
  return ctx.db.$transaction(async (tx) => {
    const by = { ids: [id], teamId: team.id, authorName: user.name ?? user.email };
    const [found] = await resolveAll(tx, ctx, by);
    if (!found) throw incidentNotFound();
    if (!found.isChanged) throw incidentResolved();
    return toIncident(found.row);
  });
}

/**
 * Resolves the unresolved ones of these incidents and notifies their channels; skips the others.
 * @returns the current state of all given incidents of the team
 */
export async function resolveAll(
  tx: Tx,
  ctx: VerbContext,
  { ids, teamId, authorName }: ActOnIncidents,
): Promise<ActedOn[]> {
  // Locks the states of monitors first, in the same order as the recorder, to avoid deadlocks.
  await lockMonitorStatesOfIncidents(tx, teamId, ids);
  // Locks the incidents, so that the audit log's "before" is the state at the resolution.
  await lockIncidents(tx, teamId, ids);
  const read = () => findIncidents(tx, { id: { in: ids }, teamId });
  const before = new Map((await read()).map((row) => [row.id, row]));
  const now = new Date();
  const changed = await tx.incident.updateManyAndReturn({
    where: { id: { in: ids }, teamId, status: { not: 'resolved' } },
    data: { status: 'resolved', openKey: null, resolvedAt: now },
    select: { id: true },
  });
  const changedIds = new Set(changed.map(({ id }) => id));
  const found = await read();
  const rows = found.filter(({ id }) => changedIds.has(id));
  const failing = await clearOpenIncidents(
    tx,
    [...before.values()].filter(({ id }) => changedIds.has(id)),
    now,
  );
  await insertUpdates(
    tx,
    rows.flatMap(({ id }) => {
      const message = failing.get(id);
      const line = { incidentId: id, at: now };
      return [
        { ...line, kind: 'resolved' as const, message: `${authorName} resolved the incident.`, authorName },
        ...(message ? [{ ...line, kind: 'note' as const, message }] : []),
      ];
    }),
  );
  const changes = rows.map((row) => ({ before: before.get(row.id) ?? null, after: row }));
  await auditIncidents(tx, ctx, 'incident.resolve', changes);
  await enqueueNotifications(tx, 'incident.resolved', rows, () => ({ resolution: 'manual', actor: authorName }));
  return found.map((row) => ({ row, isChanged: changedIds.has(row.id) }));
}

type State = Pick<MonitorState, 'status' | 'maintenance'>;

/** Returns the note for the timeline if the monitor of a manually resolved incident still fails; null if it does not. */
function nextCheckNote({ status, maintenance }: State, now: Date): string | null {
  if (status !== 'down' && status !== 'degraded') return null;
  const fails = status === 'down' ? 'fails' : 'is slow';
  const next = isInside(maintenance, now) ? `a check after maintenance ${fails}` : `the next check ${fails}`;
  return `The monitor is still ${status}. If ${next}, a new incident opens.`;
}

/**
 * Clears the open incident and the flapping in the states of the monitors, so that the next failing check opens another incident.
 * @returns notes about monitors that still fail, by incident
 */
async function clearOpenIncidents(tx: Tx, resolved: IncidentRow[], now: Date): Promise<Map<string, string>> {
  const incidents = new Map(
    resolved.flatMap(({ id, monitorId, openKey: key }) =>
      monitorId !== null && key === openKey(monitorId, 'status') ? [[monitorId, id] as const] : [],
    ),
  );
  if (incidents.size === 0) return new Map();
  const monitorIds = [...incidents.keys()];
  const states = await tx.monitorState.updateManyAndReturn({
    where: { monitorId: { in: monitorIds }, region: '' },
    data: { openIncident: null, changes: [], steadySince: null, revision: { increment: 1 } },
    select: { monitorId: true, status: true, maintenance: true },
  });
  await dropHeldRecoveries(tx, monitorIds);
  return new Map(
    states.flatMap(({ monitorId, ...state }) => {
      const [id, words] = [incidents.get(monitorId), nextCheckNote(state, now)];
      return id && words ? [[id, words]] : [];
    }),
  );
}
