import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { DAY_MS } from '@/server/time/schema';
import { publicId } from './public-id';
import type { PageComponent } from './read-components';
import type { PublicMaintenance } from './schema';

const PAST_DAYS = 90;
/** The limit of one page. */
const MOST_PLANNED = 20;
const MOST_PAST = 50;

/**
 * The maintenance windows of the page's monitors with title and times: active and upcoming ones (soonest first), and
 * those of the last 90 days (latest first). Internal descriptions are omitted.
 */
export async function readMaintenances(
  db: Db,
  { id, teamId }: { id: string; teamId: string },
  components: Map<string, PageComponent>,
  now: Date,
): Promise<{ maintenances: PublicMaintenance[]; pastMaintenances: PublicMaintenance[] }> {
  const monitorId = { in: [...components.keys()] };
  const since = new Date(now.getTime() - PAST_DAYS * DAY_MS);
  const read = async (endsAt: Prisma.DateTimeFilter, order: 'asc' | 'desc', take: number) => {
    const rows = await db.maintenanceWindow.findMany({
      where: { teamId, endsAt, OR: [{ allMonitors: true }, { monitors: { some: { monitorId } } }] },
      include: { monitors: { where: { monitorId }, select: { monitorId: true } } },
      orderBy: [{ startsAt: order }, { id: order }],
      take,
    });
    return rows.map((row) => ({
      id: publicId(id, row.id),
      title: row.title,
      startsAt: row.startsAt.toISOString(),
      endsAt: row.endsAt.toISOString(),
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
      componentIds: row.allMonitors
        ? [...components.values()].map(({ component }) => component.id)
        : row.monitors.flatMap((each) => components.get(each.monitorId)?.component.id ?? []),
    }));
  };
  const [maintenances, pastMaintenances] = await Promise.all([
    read({ gt: now }, 'asc', MOST_PLANNED),
    read({ lte: now, gt: since }, 'desc', MOST_PAST),
  ]);
  return { maintenances, pastMaintenances };
}
