import type { Db } from '@/server/platform/db';
import type { Latest } from './read-latest';

/** The maximum number of incidents that are searched for those of a chart's outages. */
const MOST_INCIDENTS = 200;

/** The outages and maintenance of a chart with the IDs of their incidents and windows; null for those that were deleted, or are older. */
export interface Linked {
  outages: (Latest['outages'][number] & { incidentId: string | null })[];
  maintenance: (Latest['maintenance'][number] & { windowId: string | null })[];
}

async function linkOutages(db: Db, monitorId: string, outages: Latest['outages']): Promise<Linked['outages']> {
  const last = outages.at(-1);
  if (!last) return [];
  const incidents = await db.incident.findMany({
    where: { monitorId, type: 'downtime', ...(last.to && { startedAt: { lt: last.to } }) },
    orderBy: { startedAt: 'desc' },
    take: MOST_INCIDENTS,
    select: { id: true, startedAt: true, resolvedAt: true },
  });
  return outages.map((outage) => {
    const incident = incidents.find(({ startedAt, resolvedAt }) => {
      return (outage.to === null || startedAt < outage.to) && (resolvedAt === null || resolvedAt > outage.from);
    });
    return { ...outage, incidentId: incident?.id ?? null };
  });
}

async function linkMaintenance(db: Db, num: number, periods: Latest['maintenance']): Promise<Linked['maintenance']> {
  if (periods.length === 0) return [];
  const rows = await db.maintenancePeriod.findMany({
    where: { monitorNum: num, startsAt: { in: periods.map(({ from }) => from) } },
    select: { windowId: true, startsAt: true, endsAt: true },
    orderBy: { windowId: 'asc' },
  });
  const windows = await db.maintenanceWindow.findMany({
    where: { id: { in: rows.map(({ windowId }) => windowId) } },
    select: { id: true },
  });
  const known = new Set(windows.map(({ id }) => id));
  return periods.map((period) => {
    const row = rows.find(({ windowId, startsAt, endsAt }) => {
      return known.has(windowId) && +startsAt === +period.from && +endsAt === +period.to;
    });
    return { ...period, windowId: row?.windowId ?? null };
  });
}

/** Finds the incidents of a chart's outages and the windows of its maintenance. */
export async function linkLatest(
  db: Db,
  { id, num }: { id: string; num: number },
  { outages, maintenance }: Latest,
): Promise<Linked> {
  const [linkedOutages, linkedMaintenance] = await Promise.all([
    linkOutages(db, id, outages),
    linkMaintenance(db, num, maintenance),
  ]);
  return { outages: linkedOutages, maintenance: linkedMaintenance };
}
