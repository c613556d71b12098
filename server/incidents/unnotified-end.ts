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

/** The state before its resolution of an incident that was resolved without notifications, and when it was resolved. */
export const UnnotifiedEnd = z.object({
  id: z.string(),
  status: z.enum(['open', 'acknowledged']),
  subject: z.enum(['status', 'certificate']),
  openKey: z.string(),
  resolvedAt: z.coerce.date(),
});
export type UnnotifiedEnd = z.infer<typeof UnnotifiedEnd>;

/**
 * Resolves the unresolved incidents of paused monitors without sending notifications. The caller has locked the monitors' states.
 * @returns the former states of the incidents, by monitor
 */
export async function resolveWithoutNotifications(
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

/** Enqueues the notifications of incidents that were resolved without any. Skips those that were reopened or resolved again since. */
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
 * Restores the former states of resolved incidents and deletes the updates about their resolution. Skips those that were reopened or resolved again
 * since.
 * @returns the IDs of the restored incidents
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
