import type { WatchedMonitor } from '@/server/history/read-known';
import type { Known } from '@/server/history/uptime';
import { knownUntil } from '@/server/history/watch';
import { db } from '@/server/platform/db';

const toStretches = (rows: { startsAt: Date; endsAt: Date }[]) =>
  rows.map(({ startsAt, endsAt }) => ({ from: startsAt, to: endsAt }));

/** The history of a monitor from all of its rows, without roll-ups and sums. */
export async function wholePast(monitor: WatchedMonitor): Promise<Known> {
  const monitorNum = monitor.num;
  return {
    spans: await db.statusSpan.findMany({ where: { monitorNum }, orderBy: { startedAt: 'asc' } }),
    exclusions: toStretches(await db.uptimeExclusion.findMany({ where: { monitor: { num: monitorNum } } })),
    maintenance: toStretches(await db.maintenancePeriod.findMany({ where: { monitorNum } })),
    watchedUntil: knownUntil(monitor, monitor.lastCheckedAt),
  };
}
