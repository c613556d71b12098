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

/** A monitor whose schedule changes. */
interface Rescheduled extends Schedule {
  monitorId: string;
}

/**
 * Has exactly these regions check each monitor next, or without any, any worker. Present claims are dropped. The caller
 * holds the monitors' own rows locked.
 *
 * @param afresh whether what the regions saw so far counts no longer
 */
export async function scheduleMonitors(
  tx: Tx,
  monitors: Rescheduled[],
  { afresh }: { afresh: boolean },
): Promise<void> {
  if (monitors.length === 0) return;
  await tx.monitorState.deleteMany({
    where: {
      OR: monitors.map(({ monitorId, regions }) => ({
        monitorId,
        region: { notIn: afresh ? [''] : ['', ...regions] },
      })),
    },
  });
  await tx.monitorState.createMany({
    data: monitors.flatMap(({ monitorId, ...schedule }) =>
      regionStates(schedule, schedule.dueAt ?? new Date()).map((state) => ({ monitorId, ...state })),
    ),
    skipDuplicates: true,
  });
  const times = monitors.map((each) => ({ ...each, ownDueAt: ownDueAt(each) }));
  // Raw: a different time in each row.
  await tx.$executeRaw`
    update monitor_states s
    set due_at = case when s.region = '' then next."ownDueAt" else next."dueAt" end, claimed_by = null, claimed_until = null,
      revision = s.revision + case when s.region = '' then 1 else 0 end
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb)
      as next ("monitorId" text, "dueAt" timestamptz, "ownDueAt" timestamptz)
    where s.monitor_id = next."monitorId"`;
}
