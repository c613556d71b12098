import type { Db } from '@/server/platform/db';
import { publicId } from './public-id';
import type { Component, PublicMaintenance } from './schema';

/** Windows of the page's monitors that are not over, soonest first: their title and times, not what the team wrote for itself. */
export async function readMaintenances(
  db: Db,
  { id, teamId }: { id: string; teamId: string },
  components: Map<string, Component>,
  now: Date,
): Promise<PublicMaintenance[]> {
  const monitorId = { in: [...components.keys()] };
  const rows = await db.maintenanceWindow.findMany({
    where: { teamId, endsAt: { gt: now }, OR: [{ allMonitors: true }, { monitors: { some: { monitorId } } }] },
    include: { monitors: { where: { monitorId }, select: { monitorId: true } } },
    orderBy: [{ startsAt: 'asc' }, { id: 'asc' }],
    take: 20,
  });
  return rows.map((row) => ({
    id: publicId(id, row.id),
    title: row.title,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    componentIds: row.allMonitors
      ? [...components.values()].map((component) => component.id)
      : row.monitors.flatMap((each) => components.get(each.monitorId)?.id ?? []),
  }));
}
