import type { Tx } from '@/server/platform/db';
import type { MonitorStatus } from '@/server/platform/generated/prisma/enums';
import { AWAIT_MS } from '../verdict/majority';

interface Schedule {
  teamId: string;
  /** Empty: by any worker. */
  regions: string[];
  /** When the next check starts; null: never. */
  dueAt: Date | null;
}

/** When a monitor's own row is due: with regions, that is a look at whether these are silent. */
const ownDueAt = ({ regions, dueAt }: Schedule) =>
  dueAt && regions.length > 0 ? new Date(dueAt.getTime() + AWAIT_MS) : dueAt;

const regionStates = ({ teamId, regions, dueAt }: Schedule, statusSince: Date) =>
  regions.map((region) => ({ teamId, region, dueAt, statusSince }));

/** The states of a new monitor: its own row, and one for each of its regions. */
export function initialStates(schedule: Schedule & { status?: MonitorStatus }, statusSince: Date) {
  const { teamId, status = 'pending' } = schedule;
  return [{ teamId, status, dueAt: ownDueAt(schedule), statusSince }, ...regionStates(schedule, statusSince)];
}

/**
 * Has exactly these regions check a monitor next, or without any, any worker. Present claims are dropped. The caller
 * holds the monitor's own row locked.
 *
 * @param afresh whether what the regions saw so far counts no longer
 */
export async function scheduleMonitor(
  tx: Tx,
  monitorId: string,
  schedule: Schedule,
  { afresh }: { afresh: boolean },
): Promise<void> {
  const { regions, dueAt } = schedule;
  const unclaimed = { claimedBy: null, claimedUntil: null };
  await tx.monitorState.update({
    where: { monitorId_region: { monitorId, region: '' } },
    data: { dueAt: ownDueAt(schedule), ...unclaimed, revision: { increment: 1 } },
  });
  await tx.monitorState.deleteMany({ where: { monitorId, region: { notIn: afresh ? [''] : ['', ...regions] } } });
  if (regions.length === 0) return;
  const states = regionStates(schedule, dueAt ?? new Date());
  await tx.monitorState.createMany({
    data: states.map((state) => ({ monitorId, ...state })),
    skipDuplicates: true,
  });
  await tx.monitorState.updateMany({ where: { monitorId, region: { not: '' } }, data: { dueAt, ...unclaimed } });
}
