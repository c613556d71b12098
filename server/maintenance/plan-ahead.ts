import { z } from 'zod';
import { markStale } from '@/server/history/mark-stale';
import { databaseNow } from '@/server/platform/database-now';
import { db, isLockTimeout } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { limitLockWait, lockMaintenanceWindow, lockMonitorStates, lockTeam } from '@/server/platform/locks';
import { log } from '@/server/platform/log';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/time/schema';
import { extendPlan, queueEdge, staleFrom } from './apply-window';
import { forgetPassed, PLANNED_MS, teamsToPlan } from './period-queries';
import { replan } from './replan';

/** A window is planned further when less than this is left of its plan. */
const AT_LEAST_MS = PLANNED_MS - DAY_MS;
/** The next edges are written into a state when its edges are complete for less than this. */
const STATES_AT_LEAST_MS = 20 * MINUTE_MS;
/** The retry interval of a window that could not be planned. */
const RETRY_MS = HOUR_MS;
/** The retry interval of states that could not be planned. Until then, their monitors are checked by the existing edges. */
const STATES_RETRY_MS = 5 * MINUTE_MS;
/** The limits of one transaction: the periods that it writes, and the monitors and their periods that it reads. */
const MOST_PERIODS = 4_000;
const MOST_MONITORS = 100;
/** How long a transaction waits for a lock. If it does not get it, the next run plans the team. */
const LOCK_WAIT_MS = 100;

const dueWindow = (now: Date) => ({
  recurrence: { not: null },
  plannedUntil: { lt: new Date(now.getTime() + AT_LEAST_MS) },
  OR: [{ planRetryAt: null }, { planRetryAt: { lte: now } }],
});

/** Plans the next occurrences of a window from the end of its plan, including missed ones, and stores the new end. Does not update monitor states. */
async function planFurther(teamId: string, id: string, now: Date): Promise<void> {
  await db.$transaction(async (tx) => {
    await limitLockWait(tx, LOCK_WAIT_MS);
    await lockTeam(tx, teamId);
    if (!(await lockMaintenanceWindow(tx, teamId, id))) return;
    const window = await tx.maintenanceWindow.findUniqueOrThrow({ where: { id } });
    const wanted = new Date(now.getTime() + PLANNED_MS);
    const { scope, first, until } = await extendPlan(tx, window, wanted, MOST_PERIODS);
    const data = { plannedUntil: until, planRetryAt: null, updatedAt: window.updatedAt };
    await tx.maintenanceWindow.update({ where: { id }, data });
    if (first && first < now) await markStale(tx, staleFrom(scope, first));
    await queueEdge(tx, id, now);
  });
}

/** Writes the next edges into the states of monitors. Skips states that another transaction has locked; the next run plans them. */
async function planStates(teamId: string, monitorIds: string[], now: Date): Promise<void> {
  await db.$transaction(async (tx) => {
    await limitLockWait(tx, LOCK_WAIT_MS);
    const locked = await lockMonitorStates<{ monitor_id: string; region: string; version: number }>(
      tx,
      monitorIds,
      'skip',
    );
    const own = locked.filter(({ region }) => region === '').map((row) => row.monitor_id);
    await replan(tx, teamId, own, now);
  });
}

/** Plans one team, with one transaction per turn: first its windows, then the states of its monitors, each once. */
class TeamPlan {
  /** The last monitor whose states were planned. */
  private last = '';

  constructor(
    private readonly teamId: string,
    private readonly now: Date,
  ) {}

  /**
   * Plans one window, or else the states of the next monitors.
   * @returns false if nothing is left to do
   */
  async takeTurn(): Promise<boolean> {
    return (await this.planWindow()) || (await this.planSlice());
  }

  /** Plans the window whose plan ends first. If that fails, the window is retried an hour later. Returns false if no window is due. */
  private async planWindow(): Promise<boolean> {
    const { teamId, now } = this;
    const where = { teamId, ...dueWindow(now) };
    const orderBy = [{ plannedUntil: 'asc' as const }, { id: 'asc' as const }];
    const window = await db.maintenanceWindow.findFirst({ where, select: { id: true, updatedAt: true }, orderBy });
    if (!window) return false;
    const { id, updatedAt } = window;
    try {
      await planFurther(teamId, id, now);
    } catch (error) {
      if (isLockTimeout(error)) throw error;
      log.error({ err: error, window: id }, 'A maintenance window could not be planned further');
      const data = { planRetryAt: new Date(now.getTime() + RETRY_MS), updatedAt };
      await db.maintenanceWindow.updateMany({ where: { id }, data });
    }
    return true;
  }

  /** Plans the states of the next monitors. If that fails, they are checked without new maintenance for 5 min. Returns false if none is left. */
  private async planSlice(): Promise<boolean> {
    const { teamId, now, last } = this;
    const windows = await db.maintenanceWindow.count({ where: { teamId, recurrence: { not: null } } });
    const perMonitor = Math.max(1, windows * (PLANNED_MS / DAY_MS));
    const states = await db.monitorState.findMany({
      where: {
        teamId,
        region: '',
        monitorId: { gt: last },
        plannedUntil: { lt: new Date(now.getTime() + STATES_AT_LEAST_MS) },
      },
      select: { monitorId: true },
      orderBy: { monitorId: 'asc' },
      take: Math.max(1, Math.min(MOST_MONITORS, Math.floor((MOST_PERIODS * 5) / perMonitor))),
    });
    const ids = states.map(({ monitorId }) => monitorId);
    const lastId = ids.at(-1);
    if (lastId === undefined) return false;
    this.last = lastId;
    try {
      await planStates(teamId, ids, now);
    } catch (error) {
      if (isLockTimeout(error)) throw error;
      log.error(
        { err: error, team: teamId },
        'The maintenance of monitors could not be planned; they are checked without it',
      );
      const where = { teamId, monitorId: { in: ids }, plannedUntil: { lte: now } };
      await db.monitorState.updateMany({ where, data: { plannedUntil: new Date(now.getTime() + STATES_RETRY_MS) } });
    }
    return true;
  }
}

/**
 * Plans recurring windows for the coming days, and writes the next edges into states. Teams take turns, with one bounded transaction each. Safe for
 * concurrent workers at any time: a window is planned from the end of its plan, so that occurrences missed while no worker ran are included. A
 * monitor is not claimed until it is planned. A window that cannot be planned delays neither other windows nor the checks of its monitors; it is
 * retried an hour later.
 */
export async function planAhead(options: { at?: Date; isStopping?: () => boolean } = {}): Promise<void> {
  const { at, isStopping = () => false } = options;
  const now = at ?? (await databaseNow());
  const windows = await db.maintenanceWindow.findMany({
    where: dueWindow(now),
    select: { teamId: true },
    distinct: ['teamId'],
  });
  const unplanned = await teamsToPlan(db, new Date(now.getTime() + STATES_AT_LEAST_MS));
  const teams = new Set([...windows.map(({ teamId }) => teamId), ...unplanned]);
  let plans = [...teams].map((teamId) => new TeamPlan(teamId, now));
  while (plans.length > 0) {
    const left: TeamPlan[] = [];
    for (const plan of plans) {
      if (isStopping()) return;
      const hasMore = await plan.takeTurn().catch((error: unknown) => {
        if (!isLockTimeout(error)) log.error({ err: error }, 'The maintenance of a team could not be planned');
        return false;
      });
      if (hasMore) left.push(plan);
    }
    plans = left;
  }
  await forgetPassed(db, now);
}

export const planMaintenance = defineJob({
  name: 'plan-maintenance',
  schema: z.object({}),
  maxAttempts: 3,
  run: () => planAhead(),
});
