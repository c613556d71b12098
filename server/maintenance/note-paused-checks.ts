import { noteIncidents } from '@/server/incidents/note-incidents';
import type { Tx } from '@/server/platform/db';
import { maintenanceKey, maintenanceLine } from './maintenance-line';

/**
 * Adds a line to the timelines of open incidents that names the maintenance window that pauses the checks of their monitors, once per occurrence. If
 * a window does not pause checks, the first check in it adds such a line.
 */
export async function notePausedChecks(tx: Tx, monitorIds: string[], now: Date): Promise<void> {
  const periods = await tx.maintenancePeriod.findMany({
    where: {
      checks: 'pause',
      startsAt: { lte: now },
      endsAt: { gt: now },
      monitor: { id: { in: monitorIds }, incidents: { some: { openKey: { not: null } } } },
    },
    select: { windowId: true, startsAt: true, endsAt: true, monitor: { select: { id: true } } },
    // If there are several periods, names the one that ends last.
    orderBy: { endsAt: 'asc' },
  });
  if (periods.length === 0) return;
  const windows = await tx.maintenanceWindow.findMany({
    where: { id: { in: periods.map(({ windowId }) => windowId) } },
    select: { id: true, title: true },
  });
  const titles = new Map(windows.map(({ id, title }) => [id, title]));
  const last = new Map(periods.map(({ monitor, ...period }) => [monitor.id, period]));
  await noteIncidents(
    tx,
    [...last].map(([monitorId, period]) => {
      const named = { ...period, title: titles.get(period.windowId) ?? null };
      return { monitorId, at: now, message: `${maintenanceLine(named)}.`, dedupeKey: maintenanceKey(named) };
    }),
  );
}
