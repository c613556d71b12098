import type { Db } from '@/server/platform/db';
import { countAllIncidents, medianAcknowledgment } from './list-queries';

export interface IncidentSummary {
  incidents: number;
  outages: number;
  /** The median of incidents that started in the range; null if none was acknowledged. */
  acknowledgeSeconds: number | null;
}

/** Counts the incidents of each of these monitors that were unresolved at some time in a range; those without any are missing. */
export async function countByMonitor(
  db: Db,
  monitorIds: string[],
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, number>> {
  const rows = await db.incident.groupBy({
    by: ['monitorId'],
    where: {
      monitorId: { in: monitorIds },
      startedAt: { lt: to },
      OR: [{ resolvedAt: null }, { resolvedAt: { gt: from } }],
    },
    _count: { _all: true },
  });
  return new Map(rows.flatMap(({ monitorId, _count }) => (monitorId === null ? [] : [[monitorId, _count._all]])));
}

/** Counts the incidents and the downtimes that were unresolved at some time in a range, and computes the median time to acknowledge. */
export async function summariseIncidents(
  db: Db,
  teamId: string,
  { from, to }: { from: Date; to: Date },
): Promise<IncidentSummary> {
  const range = { from: from.toISOString(), to: to.toISOString() };
  const counts = await Promise.all([
    countAllIncidents(db, teamId, range),
    countAllIncidents(db, teamId, { ...range, type: 'downtime' }),
  ]);
  const [incidents, outages] = counts.map(({ open, acknowledged, resolved }) => open + acknowledged + resolved);
  return {
    incidents: incidents ?? 0,
    outages: outages ?? 0,
    acknowledgeSeconds: await medianAcknowledgment(db, teamId, from, to),
  };
}
