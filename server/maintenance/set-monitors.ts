import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { lockMonitorStates } from '@/server/platform/locks';
import { covers, type Scope } from './period-queries';

/** The scope that a window gets: these monitors, and all present and future ones with any of these tags. Null without tags means all of the team. */
interface Wanted {
  monitorIds: string[] | null;
  tags: string[];
}

/**
 * Locks the states of all monitors that a change of a window affects: those in the new scope, in the present scope, and with planned periods. That
 * also protects the monitors from deletion until the transaction ends.
 * @param wanted null if the window is deleted
 * @param present the window before the change; null for a new one
 */
export async function lockScope(
  tx: Tx,
  teamId: string,
  wanted: Wanted | null,
  present: Scope | null,
  now: Date,
): Promise<void> {
  const isAll = wanted?.monitorIds === null && wanted.tags.length === 0;
  const monitors = await tx.monitor.findMany({
    where: {
      teamId,
      ...(!isAll && {
        OR: [
          ...(wanted ? [{ id: { in: wanted.monitorIds ?? [] } }, { tags: { hasSome: wanted.tags } }] : []),
          ...(present
            ? [covers(present), { maintenancePeriods: { some: { windowId: present.id, endsAt: { gt: now } } } }]
            : []),
        ],
      }),
    },
    select: { id: true },
  });
  await lockMonitorStates(
    tx,
    monitors.map(({ id }) => id),
  );
}

/**
 * Stores the scope of a window and returns it. `lockScope` has locked the states of its monitors.
 * @throws AppError VALIDATION_ERROR for an ID that is not a monitor of the team
 */
export async function setMonitors(
  tx: Tx,
  teamId: string,
  windowId: string,
  { monitorIds, tags: given }: Wanted,
): Promise<{ allMonitors: boolean; tags: string[] }> {
  const tags = [...new Set(given)];
  const allMonitors = monitorIds === null && tags.length === 0;
  await tx.maintenanceWindowMonitor.deleteMany({ where: { maintenanceWindowId: windowId } });
  await tx.maintenanceWindow.update({ where: { id: windowId }, data: { allMonitors, tags } });
  const wanted = [...new Set(monitorIds ?? [])];
  if (wanted.length > 0) {
    const found = await tx.monitor.findMany({ where: { teamId, id: { in: wanted } }, select: { id: true } });
    const present = new Set(found.map(({ id }) => id));
    if (present.size < wanted.length) throw unknownMonitors(monitorIds ?? [], present);
    await tx.maintenanceWindowMonitor.createMany({
      data: wanted.map((monitorId) => ({ maintenanceWindowId: windowId, monitorId })),
    });
  }
  return { allMonitors, tags };
}

function unknownMonitors(ids: string[], present: ReadonlySet<string>): AppError {
  const message = 'There is no such monitor in this team.';
  const issues = ids.flatMap((id, index) => (present.has(id) ? [] : [{ path: `monitorIds.${index}`, message }]));
  return new AppError('VALIDATION_ERROR', message, { issues });
}
