import { SETTLED } from '@/server/checks/verdict/settled';
import type { Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { MonitorStatus } from './schema';

/** The columns of a monitor's state that count, at their beginning. */
export const NOTHING_COUNTED = { ...SETTLED, changes: [] };

/**
 * Sets a monitor's status by hand (pause, resume) instead of by a check: ends the open span, starts the next, and resets
 * all streaks. `scheduleMonitor` updates the schedule.
 */
export async function changeStatus(
  tx: Tx,
  { id, num }: { id: string; num: number },
  { status, at }: { status: MonitorStatus; at: Date },
): Promise<void> {
  await tx.monitorState.update({
    where: { monitorId_region: { monitorId: id, region: '' } },
    data: {
      status,
      statusSince: at,
      ...NOTHING_COUNTED,
      openIncident: null,
      steadySince: null,
      runStartedAt: null,
      certificateWarned: false,
      held: Prisma.DbNull,
    },
  });
  // A heartbeat that was pinged before waits for its next ping from now on.
  await tx.monitorState.updateMany({
    where: { monitorId: id, region: '', expectedSince: { not: null } },
    data: { expectedSince: at },
  });
  await tx.statusSpan.updateMany({ where: { monitorNum: num, endedAt: null }, data: { endedAt: at } });
  const monitorNum_startedAt = { monitorNum: num, startedAt: at };
  await tx.statusSpan.upsert({
    where: { monitorNum_startedAt },
    create: { ...monitorNum_startedAt, status },
    update: { status, endedAt: null },
  });
}
