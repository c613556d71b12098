import type { Tx } from '@/server/platform/db';
import type { MonitorStatus } from '@/server/platform/generated/prisma/enums';
import { AWAIT_MS } from '../verdict/majority';

interface Schedule {
  teamId: string;
  /** If empty, any worker checks the monitor. */
  regions: string[];
  /** When the next check starts; null for never. */
  dueAt: Date | null;
}

/** Returns when the monitor's own row is due. For a monitor with regions, the own row only checks whether a region has stopped reporting. */
const ownDueAt = ({ regions, dueAt }: Schedule) =>
  dueAt && regions.length > 0 ? new Date(dueAt.getTime() + AWAIT_MS) : dueAt;

const regionStates = ({ teamId, regions, dueAt }: Schedule, statusSince: Date) =>
  regions.map((region) => ({ teamId, region, dueAt, statusSince }));

/** Returns the states of a new monitor: its own row, and one for each of its regions. */
export function initialStates(schedule: Schedule & { status?: MonitorStatus }, statusSince: Date) {
  const { teamId, status = 'pending' } = schedule;
  return [{ teamId, status, dueAt: ownDueAt(schedule), statusSince }, ...regionStates(schedule, statusSince)];
}

/** A monitor whose schedule changes. */
interface Rescheduled extends Schedule {
  monitorId: string;
}

/**
 * Sets the regions and the next due times of monitors: deletes the states of other regions, creates missing ones, and ends all claims. A region that
 * is new to a monitor that is down confirms a recovery before it votes for it, like the others. The caller has locked the monitors' own rows.
 * @param afresh replaces the states of all regions, because their former results no longer count
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
  // Raw: sets a different time in each row.
  await tx.$executeRaw`
    update monitor_states s
    set due_at = case when s.region = '' then next."ownDueAt" else next."dueAt" end, claimed_by = null, claimed_until = null,
      revision = s.revision + case when s.region = '' then 1 else 0 end,
      open_incident = case when s.region <> '' and s.last_checked_at is null
        then nullif(own.open_incident, 'degraded') else s.open_incident end
    from jsonb_to_recordset(${JSON.stringify(times)}::jsonb)
      as next ("monitorId" text, "dueAt" timestamptz, "ownDueAt" timestamptz)
      join monitor_states own on own.monitor_id = next."monitorId" and own.region = ''
    where s.monitor_id = next."monitorId"`;
}

/** A check is not made due if the last one is more recent than this, because bulk checks would multiply the load on a target. */
const RECENT_SECONDS = 10;

/**
 * Makes the next checks of monitors due now, in each of their regions. Leaves out checks that are running, already due, or were made within 10 s.
 * @returns the IDs of the monitors with a check that was made due
 */
export async function dueNowAll(tx: Tx, monitorIds: string[]): Promise<Set<string>> {
  // Raw: compares with the database's clock. The own row of a monitor with regions only checks whether they are silent.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    update monitor_states s set due_at = now() from monitors m
    where m.id = s.monitor_id and s.monitor_id = any(${monitorIds}) and (s.region <> '' or m.regions = '{}')
      and s.due_at > now() and (s.claimed_until is null or s.claimed_until < now())
      and (s.last_checked_at is null or s.last_checked_at < now() - ${RECENT_SECONDS}::int * interval '1 s')
    returning s.monitor_id as id`;
  return new Set(rows.map(({ id }) => id));
}
