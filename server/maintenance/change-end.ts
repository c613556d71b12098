import { nextVersion } from '@/server/audit/assert-unchanged';
import { databaseNow } from '@/server/platform/database-now';
import { AppError } from '@/server/platform/errors';
import { lockMaintenanceWindow, lockTeam } from '@/server/platform/locks';
import type { Period } from '@/server/time/edges';
import { MINUTE_MS } from '@/server/time/schema';
import type { OnOneObject, TeamContext } from '@/server/trpc/contexts';
import { queueAnnouncements } from './announce-window';
import { applyWindow, planMissed } from './apply-window';
import { auditWindow } from './audit-window';
import { readWindow, windowNotFound } from './queries';
import { occurrenceAround, type Times } from './recurrence';
import { type ExtendMaintenanceInput, type MaintenanceWindow, whyNotBetween } from './schema';
import { lockScope } from './set-monitors';

/** Of one window: the latest are kept, and what was before them has passed long ago. */
const MOST_CHANGES = 100;

/** The columns of a window with another end of its present occurrence. */
function withEnd(times: Times, { startsAt }: Period, endsAt: Date) {
  if (times.recurrence === null) return { endsAt };
  const others = (times.changedStarts ?? [])
    .map((start, index) => ({ start, end: times.changedEnds?.[index] ?? start }))
    .filter(({ start }) => start.getTime() !== startsAt.getTime());
  const changes = [...others, { start: startsAt, end: endsAt }].slice(-MOST_CHANGES);
  return { changedStarts: changes.map(({ start }) => start), changedEnds: changes.map(({ end }) => end) };
}

async function changeEnd(
  { ctx, id }: { ctx: TeamContext; id: string },
  endOf: (present: Period, now: Date) => Date,
): Promise<MaintenanceWindow> {
  const { team } = ctx;
  return ctx.db.$transaction(async (tx) => {
    await lockTeam(tx, team.id);
    if (!(await lockMaintenanceWindow(tx, team.id, id))) throw windowNotFound();
    const row = await tx.maintenanceWindow.findUniqueOrThrow({ where: { id } });
    const before = await readWindow(tx, team.id, id);
    const now = await databaseNow(tx);
    const present = occurrenceAround(row, now);
    if (!present) {
      const message = 'This maintenance window is not running.';
      throw new AppError('VALIDATION_ERROR', message, { issues: [{ path: 'id', message }] });
    }
    await lockScope(tx, team.id, null, row, now);
    await planMissed(tx, row, now);
    const endsAt = endOf(present, now);
    const changed = await tx.maintenanceWindow.update({
      where: { id },
      data: { ...withEnd(row, present, endsAt), updatedAt: nextVersion(row.updatedAt) },
    });
    await applyWindow(tx, row, changed, now);
    if (changed.notifiesChannels) await queueAnnouncements(tx, id);
    const after = await readWindow(tx, team.id, id);
    await auditWindow(tx, ctx, 'maintenance_window.update', before, after);
    return after;
  });
}

/** Ends the present occurrence of a window now. @throws AppError NOT_FOUND, VALIDATION_ERROR (it is not running) */
export function endMaintenance({ ctx, input: { id } }: OnOneObject): Promise<MaintenanceWindow> {
  return changeEnd({ ctx, id }, (_present, now) => now);
}

/**
 * Lets the present occurrence of a window end `minutes` later.
 * @throws AppError NOT_FOUND, VALIDATION_ERROR (it is not running, or would last too long)
 */
export function extendMaintenance({
  ctx,
  input: { id, minutes },
}: {
  ctx: TeamContext;
  input: ExtendMaintenanceInput;
}): Promise<MaintenanceWindow> {
  return changeEnd({ ctx, id }, ({ startsAt, endsAt }) => {
    const later = new Date(endsAt.getTime() + minutes * MINUTE_MS);
    const wrong = whyNotBetween(startsAt, later, 'any');
    if (wrong !== null)
      throw new AppError('VALIDATION_ERROR', wrong, { issues: [{ path: 'minutes', message: wrong }] });
    return later;
  });
}
