import { scheduleMonitors } from '@/server/checks/schedule/schedule-monitor';
import { followWindows } from '@/server/maintenance/apply-window';
import type { Tx } from '@/server/platform/db';
import type { AppError } from '@/server/platform/errors';
import { notify, notifySchedule } from '@/server/platform/listen';
import { findPausedTooOften, pause, pausedTooOften, resume } from '../pause';
import { readMoments, setActive } from '../queries';
import type { BulkChange, BulkRow } from './bulk-change';

/** Pauses or resumes monitors. The caller has locked them, and none is in that state yet. Refuses to pause those that were paused too often. */
export async function switchMonitors(
  tx: Tx,
  teamId: string,
  monitors: BulkRow[],
  isActive: boolean,
): Promise<{ changed: BulkRow[]; refused: Map<string, AppError> }> {
  const moments = await readMoments(
    tx,
    monitors.map(({ id }) => id),
  );
  const wanted = monitors.flatMap((row) => {
    const moment = moments.get(row.id);
    return moment ? [{ row, at: moment.at }] : [];
  });
  const excess = isActive ? new Set<string>() : await findPausedTooOften(tx, wanted);
  const switched = wanted.filter(({ row }) => !excess.has(row.id));
  const refused = new Map([...excess].map((id) => [id, pausedTooOften()]));
  if (switched.length === 0) return { changed: [], refused };
  const ids = switched.map(({ row }) => row.id);
  await setActive(tx, ids, isActive);
  await (isActive ? resume : pause)(tx, teamId, switched);
  const schedules = switched.map(({ row: { id: monitorId, regions }, at }) => {
    return { monitorId, teamId, regions, dueAt: isActive ? at : null };
  });
  await scheduleMonitors(tx, schedules, { afresh: true });
  const now = new Date(Math.min(...switched.map(({ at }) => at.getTime())));
  await followWindows(tx, teamId, ids, now);
  await notifySchedule(tx);
  await notify(tx, { team: teamId, kind: 'monitor', ids });
  return { changed: switched.map(({ row }) => row), refused };
}

/** Returns a change that pauses or resumes monitors. Skips those that are in that state already. */
export function switchAll(isActive: boolean): BulkChange {
  return async (tx, teamId, monitors) => {
    const others = monitors.filter((row) => row.isActive !== isActive);
    return { ...(await switchMonitors(tx, teamId, others, isActive)), audit: 'monitor.update' };
  };
}
