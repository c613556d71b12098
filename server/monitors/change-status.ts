import type { Tx } from '@/server/platform/db';
import type { MonitorStatus } from './schema';

/**
 * Puts a monitor into a status by hand (pausing, resuming), not by a check: the open span ends, the next one starts,
 * and what was counted towards a verdict is forgotten. `dueAt` null means no checks.
 */
export async function changeStatus(
  tx: Tx,
  { id, num }: { id: string; num: number },
  { status, at, dueAt }: { status: MonitorStatus; at: Date; dueAt: Date | null },
): Promise<void> {
  await tx.monitorState.update({
    where: { monitorId: id },
    data: {
      status,
      statusSince: at,
      dueAt,
      failures: 0,
      recoveries: 0,
      turnedAt: null,
      latencyStreak: 0,
      latencyTurnedAt: null,
      openIncident: null,
      changes: [],
      steadySince: null,
      revision: { increment: 1 },
      claimedBy: null,
      claimedUntil: null,
      runStartedAt: null,
      certificateWarned: false,
    },
  });
  // A heartbeat that was pinged before is awaited again from now on.
  await tx.monitorState.updateMany({
    where: { monitorId: id, expectedSince: { not: null } },
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
