import { planLimits } from '@/server/plans/plans';
import type { Db } from '@/server/platform/db';
import type { Plan } from '@/server/platform/generated/prisma/enums';
import { DAY_MS } from '@/server/time/schema';

/** What another tool measured on a day (whole days since 1970, UTC): the number of checks by result. */
interface PastDay {
  day: number;
  up: number;
  down: number;
  maintenance: number;
}

/**
 * Stores the uptime of days before the one on which a monitor was created. Each check counts as one interval, or as an equal part of the day if the
 * intervals would exceed it. Leaves out days without checks, days past the plan's retention (counted from the creation), and days already stored.
 * @returns the number of days that were stored
 */
export async function addPastDays(
  db: Db,
  monitor: { num: number; intervalSeconds: number; createdAt: Date },
  plan: Plan,
  days: PastDay[],
): Promise<number> {
  const created = Math.floor(monitor.createdAt.getTime() / DAY_MS);
  const first = created - planLimits[plan].historyDays;
  const rows = days.flatMap(({ day, up, down, maintenance }) => {
    const checks = up + down + maintenance;
    if (day < first || day >= created || checks <= 0) return [];
    const msOf = Math.min(monitor.intervalSeconds * 1000, DAY_MS / checks);
    const time = (count: number) => (count > 0 ? Math.round(count * msOf) : null);
    return [
      {
        monitorNum: monitor.num,
        day,
        checks: Math.min(checks, 2_000_000_000),
        latencies: Buffer.alloc(0),
        upMs: time(up),
        downMs: time(down),
        maintenanceMs: time(maintenance),
      },
    ];
  });
  const { count } = await db.checkDay.createMany({ data: rows, skipDuplicates: true });
  return count;
}
