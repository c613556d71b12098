import type { Resolution } from '@/server/notifications/messages/event';
import type { Tx } from '@/server/platform/db';
import { findIncidents } from './affected-queries';
import { enqueueNotifications } from './events';
import { type IncidentRef, toRef } from './open-incident';
import type { Subject } from './open-key';
import { insertUpdates, resolveByKey } from './queries';

export interface IncidentToResolve {
  monitorId: string;
  subject: Subject;
  resolvedAt: Date;
  /** The message of the final update. */
  message: string;
  resolution: Exclude<Resolution, 'manual'>;
}

/**
 * Resolves the unresolved incidents of these monitors, each with a final update, and enqueues their notifications. If another incident replaces one
 * (`superseded`), only receivers that keep a copy of each incident are notified of the resolution.
 * @param options.notifies false sends no notifications
 * @returns the incidents that were resolved
 */
export async function resolveIncidents(
  tx: Tx,
  items: IncidentToResolve[],
  { notifies = true } = {},
): Promise<IncidentRef[]> {
  if (items.length === 0) return [];
  const ended = await resolveByKey(tx, items);
  if (ended.length === 0) return [];
  const messages = new Map(ended.map(({ id, message }) => [id, message]));
  const resolved = await findIncidents(tx, { id: { in: [...messages.keys()] } });
  await insertUpdates(
    tx,
    resolved.map(({ id, resolvedAt }) => {
      return { incidentId: id, kind: 'resolved', message: messages.get(id) ?? '', at: resolvedAt ?? new Date() };
    }),
  );
  const resolutions = new Map(items.map(({ monitorId, resolution }) => [monitorId, resolution]));
  if (notifies) {
    await enqueueNotifications(tx, 'incident.resolved', resolved, ({ monitorId }) => ({
      resolution: resolutions.get(monitorId ?? '') ?? 'recovered',
    }));
  }
  return resolved.flatMap(toRef);
}
