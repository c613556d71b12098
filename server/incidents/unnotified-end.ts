import { z } from 'zod';
import type { Resolution } from '@/server/notifications/messages/event';
import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { lockIncidents } from '@/server/platform/locks';
import { findIncidents } from './affected-queries';
import { enqueueNotifications } from './events';
import { openKey, type Subject } from './open-key';
import { reopenResolved } from './queries';
import { resolveIncidents } from './resolve-incidents';

const subjects: readonly Subject[] = ['status', 'certificate'];

/** The former state of an incident that was resolved without a notification. */
export const UnnotifiedEnd = z.object({
  id: z.string(),
  status: z.enum(['open', 'acknowledged']),
  subject: z.enum(['status', 'certificate']),
  openKey: z.string(),
  resolvedAt: z.coerce.date(),
});
export type UnnotifiedEnd = z.infer<typeof UnnotifiedEnd>;

/**
 * Resolves the open incidents of paused monitors without notifying anybody. The caller has locked the monitors' states.
 * @returns their former states, by monitor
 */
export async function endUnnotified(
  tx: Tx,
  teamId: string,
  monitors: { id: string; at: Date }[],
): Promise<Map<string, UnnotifiedEnd[]>> {
  const keys = new Map(
    monitors.flatMap(({ id: monitorId }) =>
      subjects.map((subject) => [openKey(monitorId, subject), { monitorId, subject }] as const),
    ),
  );
  const find = () => tx.incident.findMany({ where: { openKey: { in: [...keys.keys()] } }, orderBy: { id: 'asc' } });
  const open = await find();
  if (open.length === 0) return new Map();
  // Locks the incidents, so that none is acknowledged in between.
  await lockIncidents(
    tx,
    teamId,
    open.map(({ id }) => id),
  );
  const before = await find();
  const message = 'The monitor was paused.';
  const items = monitors.flatMap(({ id: monitorId, at: resolvedAt }) =>
    subjects.map((subject) => ({ monitorId, subject, resolvedAt, resolution: 'paused' as const, message })),
  );
  await resolveIncidents(tx, items, { notifies: false });
  const after = await tx.incident.findMany({ where: { id: { in: before.map(({ id }) => id) } } });
  const ends = new Map(after.map(({ id, resolvedAt }) => [id, resolvedAt]));
  const ended = new Map<string, UnnotifiedEnd[]>();
  for (const row of before) {
    const about = keys.get(row.openKey ?? '');
    if (!about) continue;
    const end = UnnotifiedEnd.parse({ ...row, subject: about.subject, resolvedAt: ends.get(row.id) });
    ended.set(about.monitorId, [...(ended.get(about.monitorId) ?? []), end]);
  }
  return ended;
}

/** Notifies the channels of resolved incidents, except those that were reopened in between. */
export async function notifyEnded(
  tx: Tx,
  teamId: string,
  ended: UnnotifiedEnd[],
  resolution: Extract<Resolution, 'paused' | 'deleted'>,
): Promise<void> {
  if (ended.length === 0) return;
  // Every transaction that enqueues messages of an incident locks it.
  await lockIncidents(
    tx,
    teamId,
    ended.map(({ id }) => id),
  );
  const rows = await findIncidents(tx, {
    OR: ended.map(({ id, resolvedAt }) => ({ id, resolvedAt, status: 'resolved' })),
  });
  if (rows.length > 0) await enqueueNotifications(tx, 'incident.resolved', rows, () => ({ resolution }));
}

/**
 * Reopens incidents in their former states, as if they had not been resolved.
 * @returns the IDs of those that were still resolved
 */
export async function reopenUnnotified(tx: Tx, teamId: string, ended: UnnotifiedEnd[]): Promise<Set<string>> {
  if (ended.length === 0) return new Set();
  await lockIncidents(
    tx,
    teamId,
    ended.map(({ id }) => id),
  );
  const ids = new Set(await reopenResolved(tx, ended));
  const reopened = ended.filter(({ id }) => ids.has(id));
  await tx.incidentUpdate.deleteMany({
    where: { OR: reopened.map(({ id, resolvedAt }) => ({ incidentId: id, kind: 'resolved', at: resolvedAt })) },
  });
  await notify(tx, { team: teamId, kind: 'incident', ids: [...ids] });
  return ids;
}
