import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { MAINTENANCE_KEY, maintenanceKey, periodOfKey, withEnd } from './maintenance-line';

/** Only the latest lines can name maintenance that has not ended. */
const MOST_LINES = 2_000;

/**
 * Updates "In maintenance until …" in the timelines of these monitors' open incidents after the end of a maintenance period changed. Entries about
 * a deleted period stay.
 */
export async function correctMaintenanceLines(tx: Tx, teamId: string, monitorIds: string[]): Promise<void> {
  const lines = await tx.incidentUpdate.findMany({
    where: {
      dedupeKey: { startsWith: MAINTENANCE_KEY },
      incident: { monitorId: { in: monitorIds }, openKey: { not: null } },
    },
    select: { id: true, incidentId: true, message: true, dedupeKey: true, incident: { select: { monitorId: true } } },
    orderBy: { at: 'desc' },
    take: MOST_LINES,
  });
  if (lines.length === 0) return;
  const named = lines.map(({ dedupeKey }) => periodOfKey(dedupeKey ?? ''));
  const periods = await tx.maintenancePeriod.findMany({
    where: {
      monitor: { id: { in: lines.flatMap(({ incident }) => incident.monitorId ?? []) } },
      windowId: { in: named.map(({ windowId }) => windowId) },
      startsAt: { in: named.map(({ startsAt }) => startsAt) },
    },
    select: { windowId: true, startsAt: true, endsAt: true, monitor: { select: { id: true } } },
  });
  const keyOf = (monitorId: string | null, key: string | null) => `${monitorId} ${key}`;
  const ends = new Map(periods.map((each) => [keyOf(each.monitor.id, maintenanceKey(each)), each.endsAt]));
  const corrections = new Map<string, string[]>();
  const changed = new Set<string>();
  for (const { id, incidentId, message, dedupeKey, incident } of lines) {
    const endsAt = ends.get(keyOf(incident.monitorId, dedupeKey));
    const corrected = endsAt ? withEnd(message, endsAt) : message;
    if (corrected === message) continue;
    corrections.set(corrected, [...(corrections.get(corrected) ?? []), id]);
    changed.add(incidentId);
  }
  for (const [message, ids] of corrections) {
    await tx.incidentUpdate.updateMany({ where: { id: { in: ids } }, data: { message } });
  }
  if (changed.size > 0) await notify(tx, { team: teamId, kind: 'incident', ids: [...changed] });
}
