import { z } from 'zod';
import type { Resolution } from '@/server/notifications/event';
import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { lockIncident } from '@/server/platform/locks';
import { enqueueNotifications } from './events';
import { openKey, type Subject } from './open-key';
import { resolveIncidents } from './resolve-incidents';
import { incidentInclude } from './to-incident';

const subjects: readonly Subject[] = ['status', 'certificate'];

/** An incident that ended and of which nobody was told, as it was before. */
export const UntoldEnd = z.object({
  id: z.string(),
  status: z.enum(['open', 'acknowledged']),
  subject: z.enum(['status', 'certificate']),
  openKey: z.string(),
  resolvedAt: z.coerce.date(),
});
export type UntoldEnd = z.infer<typeof UntoldEnd>;

/**
 * Resolves the open incidents of a paused monitor and tells nobody.
 * @returns what they were
 */
export async function endUntold(
  tx: Tx,
  { id: monitorId, teamId }: { id: string; teamId: string },
  at: Date,
): Promise<UntoldEnd[]> {
  const byKey = new Map(subjects.map((subject) => [openKey(monitorId, subject), subject]));
  const find = () => tx.incident.findMany({ where: { openKey: { in: [...byKey.keys()] } }, orderBy: { id: 'asc' } });
  // Locked, so that nobody acknowledges one in between.
  for (const { id } of await find()) await lockIncident(tx, teamId, id);
  const before = await find();
  const items = subjects.map((subject) => {
    const message = 'The monitor was paused.';
    return { monitorId, subject, resolvedAt: at, resolution: 'paused' as const, message };
  });
  await resolveIncidents(tx, items, { tells: false });
  const after = await tx.incident.findMany({ where: { id: { in: before.map(({ id }) => id) } } });
  return before.map((row) => {
    const resolvedAt = after.find(({ id }) => id === row.id)?.resolvedAt;
    return UntoldEnd.parse({ ...row, subject: byKey.get(row.openKey ?? ''), resolvedAt });
  });
}

/** Notifies the channels of incidents that ended, except of those that are open again. */
export async function tellEnded(
  tx: Tx,
  ended: UntoldEnd[],
  resolution: Extract<Resolution, 'paused' | 'deleted'>,
): Promise<void> {
  for (const { id, resolvedAt } of ended) {
    // Writes nothing: it locks the row, as all that enqueues its messages does.
    const still = await tx.incident.updateMany({ where: { id, status: 'resolved', resolvedAt }, data: { resolvedAt } });
    if (still.count === 0) continue;
    const row = await tx.incident.findUniqueOrThrow({ where: { id }, include: incidentInclude });
    await enqueueNotifications(tx, 'incident.resolved', [row], () => ({ resolution }));
  }
}

/**
 * Opens incidents again as they were, as if they had not ended.
 * @returns what those are about that were still resolved
 */
export async function reopenUntold(tx: Tx, teamId: string, ended: UntoldEnd[]): Promise<Set<Subject>> {
  const reopened = new Set<Subject>();
  for (const { id, status, subject, openKey: key, resolvedAt } of ended) {
    const changed = await tx.incident.updateMany({
      where: { id, status: 'resolved', resolvedAt },
      data: { status, openKey: key, resolvedAt: null },
    });
    if (changed.count === 0) continue;
    reopened.add(subject);
    await tx.incidentUpdate.deleteMany({ where: { incidentId: id, kind: 'resolved', at: resolvedAt } });
    await notify(tx, { team: teamId, kind: 'incident', ids: [id] });
  }
  return reopened;
}
