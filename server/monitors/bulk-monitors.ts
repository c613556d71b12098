import { scheduleMonitors } from '@/server/checks/schedule/schedule-monitor';
import type { BulkResult } from '@/server/lists/schema';
import { followWindows } from '@/server/maintenance/apply-window';
import { monitorInclude, monitorNotFound, toMonitor } from '@/server/monitor-types/output/to-monitor';
import type { BulkMonitorsInput } from '@/server/monitor-types/schema';
import type { Tx } from '@/server/platform/db';
import { notify, notifySchedule } from '@/server/platform/listen';
import { lockMonitors, shareTeam } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { auditMonitors } from './audit-monitor';
import { findPausedTooOften, pause, pausedTooOften, resume, type Switched } from './pause';
import { readMoments, setActive, viewFor } from './queries';

/** Reads monitors without their configs, which are large and which pausing does not change. */
async function readAll(tx: Tx, ids: string[]) {
  const rows = await tx.monitor.findMany({
    where: { id: { in: ids } },
    include: monitorInclude,
    omit: { config: true },
  });
  return rows.map((row) => ({ ...row, config: {} }));
}

/** Pauses or resumes monitors, which are locked and not in that state yet. */
async function switchMonitors(tx: Tx, ctx: TeamContext, monitors: Switched[], isActive: boolean): Promise<void> {
  const teamId = ctx.team.id;
  const ids = monitors.map(({ row }) => row.id);
  await setActive(tx, ids, isActive);
  await (isActive ? resume : pause)(tx, teamId, monitors);
  const schedules = monitors.map(({ row: { id: monitorId, regions }, at }) => {
    return { monitorId, teamId, regions, dueAt: isActive ? at : null };
  });
  await scheduleMonitors(tx, schedules, { afresh: true });
  const now = new Date(Math.min(...monitors.map(({ at }) => at.getTime())));
  await followWindows(tx, teamId, ids, now);
  await notifySchedule(tx);
  await notify(tx, { team: teamId, kind: 'monitor', ids });
}

/**
 * Pauses or resumes monitors in one transaction, with a constant number of statements. A monitor that cannot be changed is rejected with its
 * reason, without affecting the others.
 * @returns one result per ID, in the order of the input
 */
export async function bulkMonitors({ ctx, input: { action, ids } }: Call<BulkMonitorsInput>): Promise<BulkResult[]> {
  const { team } = ctx;
  const isActive = action === 'resume';
  return ctx.db.$transaction(async (tx) => {
    await shareTeam(tx, team.id);
    const found = await lockMonitors(tx, team.id, ids);
    const moments = await readMoments(tx, found);
    const before = (await readAll(tx, found)).filter((row) => row.isActive !== isActive);
    const wanted = before.flatMap((row) => {
      const moment = moments.get(row.id);
      return moment ? [{ row, at: moment.at }] : [];
    });
    const excess = isActive ? new Set<string>() : await findPausedTooOften(tx, wanted);
    const changed = wanted.filter(({ row }) => !excess.has(row.id));
    if (changed.length > 0) {
      await switchMonitors(tx, ctx, changed, isActive);
      const view = viewFor(ctx);
      const version = (row: (typeof before)[number]) => ({ monitor: toMonitor(row, view), stored: row.config });
      const former = new Map(changed.map(({ row }) => [row.id, row]));
      const after = await readAll(tx, [...former.keys()]);
      const changes = after.flatMap((row) => {
        const was = former.get(row.id);
        return was ? [{ before: version(was), after: version(row) }] : [];
      });
      await auditMonitors(tx, ctx, 'monitor.update', changes);
    }
    const [known, done] = [new Set(found), new Set(changed.map(({ row }) => row.id))];
    return ids.map((id): BulkResult => {
      const refusal = !known.has(id) ? monitorNotFound() : excess.has(id) ? pausedTooOften() : null;
      if (refusal) return { id, outcome: 'refused', error: { code: refusal.code, message: refusal.message } };
      return { id, outcome: done.has(id) ? 'done' : 'unchanged', error: null };
    });
  });
}
