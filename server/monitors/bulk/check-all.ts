import { dueNowAll } from '@/server/checks/schedule/schedule-monitor';
import { isPassive } from '@/server/monitor-types/definitions';
import { type AppError, invalidField } from '@/server/platform/errors';
import { notifySchedule } from '@/server/platform/listen';
import type { BulkChange, BulkRow } from './bulk-change';

function refusalOf({ type, isActive }: BulkRow): AppError | null {
  if (isPassive(type)) return invalidField('ids', 'This monitor waits for pings and cannot be checked.');
  return isActive ? null : invalidField('ids', 'This monitor is paused.');
}

/**
 * Makes the checks of monitors due at once, so that workers run them fairly with those of other teams. Leaves monitors unchanged that were checked
 * within 10 s. Refuses heartbeats and paused monitors.
 */
export const checkAll: BulkChange = async (tx, _teamId, monitors) => {
  const refused = new Map<string, AppError>();
  for (const row of monitors) {
    const refusal = refusalOf(row);
    if (refusal) refused.set(row.id, refusal);
  }
  const rest = monitors.filter(({ id }) => !refused.has(id));
  const due = await dueNowAll(
    tx,
    rest.map(({ id }) => id),
  );
  if (due.size > 0) await notifySchedule(tx);
  return { changed: rest.filter(({ id }) => due.has(id)), refused };
};
