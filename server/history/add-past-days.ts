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
 * Stores the uptime of the days before a monitor was created. The checks of a day share the time that they cover, which is the interval for each of
 * them. Days that are not over, or past the retention of the plan, are left out.
 * @returns the number of stored days
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
