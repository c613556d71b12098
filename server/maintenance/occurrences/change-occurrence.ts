import { nextVersion } from '@/server/audit/assert-unchanged';
import { databaseNow } from '@/server/platform/database-now';
import type { MaintenanceWindow as Row } from '@/server/platform/generated/prisma/client';
import { lockMaintenanceWindow, lockTeam } from '@/server/platform/locks';
import type { TeamContext } from '@/server/trpc/contexts';
import { queueAnnouncements } from '../announce-window';
import { applyWindow, planMissed, plannedUntil } from '../apply-window';
import { auditWindow, type WindowAction } from '../audit-window';
import { readWindow, windowNotFound } from '../queries';
import type { MaintenanceWindow } from '../schema';
import { lockScope } from '../set-monitors';

/** How long the announcement of a skipped occurrence is delayed, so that the skip can be undone without a message. */
const UNDO_MS = 30_000;

/** The columns that store exceptions from the rule, and the end of a window without recurrence. */
type Changes = Partial<Pick<Row, 'endsAt' | 'changedStarts' | 'changedEnds' | 'skippedStarts'>>;

/**
 * Changes single occurrences of a window, applies the change to its monitors, and queues the announcements.
 * @param change called with the locked window and the database's time; returns the columns to write, or null if nothing changes
 * @throws AppError NOT_FOUND
 */
export async function changeOccurrence(
  { ctx, id, action }: { ctx: TeamContext; id: string; action: WindowAction },
  change: (row: Row, now: Date) => Changes | null,
): Promise<MaintenanceWindow> {
  const { team } = ctx;
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    if (!(await lockMaintenanceWindow(tx, team.id, id))) throw windowNotFound();
    const row = await tx.maintenanceWindow.findUniqueOrThrow({ where: { id } });
    const before = await readWindow(tx, team.id, id);
    const now = await databaseNow(tx);
    const changes = change(row, now);
    if (!changes) return before;
    await lockScope(tx, team.id, null, row, now);
    await planMissed(tx, row, now);
    const version = { updatedAt: nextVersion(row.updatedAt), sequence: { increment: 1 } };
    const data = { ...changes, plannedUntil: plannedUntil(row, now), ...version };
    const changed = await tx.maintenanceWindow.update({ where: { id }, data });
    await applyWindow(tx, row, changed, now);
    const isSkip = action === 'maintenance_window.skip';
    if (changed.notifiesChannels)
      await queueAnnouncements(tx, changed, isSkip ? new Date(now.getTime() + UNDO_MS) : now);
    const after = await readWindow(tx, team.id, id);
    await auditWindow(tx, ctx, action, before, after);
    return after;
  });
}
