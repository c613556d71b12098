import type { Db } from '@/server/platform/db';
import { countAllIncidents, medianAcknowledgment } from './list-queries';

export interface IncidentSummary {
  incidents: number;
  outages: number;
  /** The median of incidents that started in the range; null if none was acknowledged. */
  acknowledgeSeconds: number | null;
}

/**
 * Counts the incidents about each of these monitors of a team that were unresolved at some time in a range; those without any are missing. An incident
 * about several monitors counts for each.
 */
export async function countByMonitor(
  db: Db,
  teamId: string,
  monitorIds: string[],
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, number>> {
  const inRange = { teamId, startedAt: { lt: to }, OR: [{ resolvedAt: null }, { resolvedAt: { gt: from } }] };
  const first = await db.incident.groupBy({
    by: ['monitorId'],
    where: { ...inRange, monitorId: { in: monitorIds } },
    _count: { _all: true },
  });
  const further = await db.incidentMonitor.groupBy({
    by: ['monitorId'],
    where: { monitorId: { in: monitorIds }, incident: inRange },
    _count: { _all: true },
  });
  const counts = new Map<string, number>();
  for (const { monitorId, _count } of [...first, ...further]) {
    if (monitorId !== null) counts.set(monitorId, (counts.get(monitorId) ?? 0) + _count._all);
  }
  return counts;
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
