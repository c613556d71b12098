import { z } from 'zod';
import { markStale } from '@/server/history/mark-stale';
import { databaseNow } from '@/server/platform/database-now';
import { db } from '@/server/platform/db';
import { defineJob } from '@/server/platform/jobs';
import { lockMaintenanceWindow, lockTeam } from '@/server/platform/locks';
import { log } from '@/server/platform/log';
import { DAY_MS } from '@/server/time/schema';
import { extendPlan, PLANNED_MS, queueEdge, staleFrom } from './apply-window';
import { forgetPassed } from './period-queries';
import { replan } from './replan';
import { lockScope } from './set-monitors';

/** A window is planned further when less than this is left of its plan. */
const AT_LEAST_MS = PLANNED_MS - DAY_MS;

/** Plans the next occurrences of a window from where its plan ends, also where that has passed. */
async function planFurther({ id, teamId }: { id: string; teamId: string }, now: Date): Promise<void> {
  await db.$transaction(async (tx) => {
    await lockTeam(tx, teamId);
    if (!(await lockMaintenanceWindow(tx, teamId, id))) return;
    const window = await tx.maintenanceWindow.findUniqueOrThrow({ where: { id } });
    const until = new Date(now.getTime() + PLANNED_MS);
    await lockScope(tx, teamId, null, window, now);
    const { scope, first } = await extendPlan(tx, window, until);
    await tx.maintenanceWindow.update({ where: { id }, data: { plannedUntil: until, updatedAt: window.updatedAt } });
    const ids = scope.map((monitor) => monitor.id);
    await replan(tx, teamId, ids, now);
    if (first && first < now) await markStale(tx, staleFrom(scope, first));
    await queueEdge(tx, id, now);
  });
}

/**
 * Plans the windows that repeat for the coming days. Any number of workers may do so, at any time: a window is planned from where its plan ended, so
 * that a worker that was away plans what it missed, before it records anything. One that cannot be planned keeps neither the others
 * nor a worker from going on; it is tried again at the next run.
 */
export async function planAhead(at?: Date): Promise<void> {
  const now = at ?? (await databaseNow());
  const windows = await db.maintenanceWindow.findMany({
    where: { recurrence: { not: null }, plannedUntil: { lt: new Date(now.getTime() + AT_LEAST_MS) } },
    select: { id: true, teamId: true },
    orderBy: { id: 'asc' },
  });
  for (const window of windows) {
    await planFurther(window, now).catch((error: unknown) => {
      log.error({ err: error, window: window.id }, 'A maintenance window could not be planned further');
    });
  }
  await forgetPassed(db, now);
}

export const planMaintenance = defineJob({
  name: 'plan-maintenance',
  schema: z.object({}),
  maxAttempts: 3,
  run: () => planAhead(),
});
