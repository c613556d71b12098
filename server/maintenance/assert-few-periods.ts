import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';

/** The limits of a team. A thousand windows of two thousand monitors would plan 16 million periods, which fill the disk and take a minute to read. */
const MOST = { windows: 100, periods: 1_000_000 };

/**
 * Checks that a team may add windows or monitors: it has at most `most.windows` current windows, or fewer than `most.periods` planned periods.
 * @throws AppError PLAN_LIMIT_REACHED
 */
export async function assertFewPeriods(tx: Tx, teamId: string, now: Date, most = MOST): Promise<void> {
  const current = { teamId, OR: [{ recurrence: { not: null } }, { endsAt: { gt: now } }] };
  if ((await tx.maintenanceWindow.count({ where: current })) <= most.windows) return;
  const planned = await tx.maintenancePeriod.count({
    where: { monitor: { teamId }, endsAt: { gt: now } },
    take: most.periods,
  });
  if (planned < most.periods) return;
  throw new AppError(
    'PLAN_LIMIT_REACHED',
    `The maintenance windows of this team cover too many monitors. Delete some of its windows, or keep at most ${most.windows}.`,
  );
}
