import { assertReadOnly } from '@/server/audit/assert-read-only';
import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { changesNothing } from '@/server/audit/changes-nothing';
import { settingExternalId } from '@/server/external-ids/setting-external-id';
import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { lockMaintenanceWindow, lockTeam } from '@/server/platform/locks';
import { mergeScope } from '@/server/scopes/merge-scope';
import type { Call } from '@/server/trpc/contexts';
import { queueAnnouncements } from './announce-window';
import { applyWindow, planMissed, plannedUntil } from './apply-window';
import { assertFewPeriods } from './assert-few-periods';
import { auditWindow } from './audit-window';
import { keptSkips } from './occurrences/skip-occurrence';
import { readWindow, windowNotFound } from './queries';
import { assertRecurs } from './recurrence/assert-recurs';
import { type MaintenanceWindow, type UpdateMaintenanceWindowInput, whyNotBetween } from './schema';
import { lockScope, setMonitors } from './set-monitors';

type Input = UpdateMaintenanceWindowInput;

/**
 * Returns the times of the window after the edit.
 * @throws AppError VALIDATION_ERROR for times that do not fit the stored ones
 */
function timesOf(before: MaintenanceWindow, input: Input) {
  const { recurrence = before.recurrence, timezone = before.timezone } = input;
  const startsAt = new Date(input.startsAt ?? before.startsAt);
  const endsAt = new Date(input.endsAt ?? before.endsAt);
  const wrong = whyNotBetween(startsAt, endsAt, recurrence);
  if (wrong !== null) throw invalidField(input.endsAt === undefined ? 'startsAt' : 'endsAt', wrong);
  const times = { startsAt, endsAt, recurrence, timezone };
  assertRecurs(times);
  return times;
}

/**
 * Updates a maintenance window; has no effect if nothing changes. The times of a window without a rule may also change in the past; a recurring one
 * changes from now on. Skipped occurrences stay skipped if they still start at that time.
 * @throws AppError NOT_FOUND, EDIT_CONFLICT, PLAN_LIMIT_REACHED, VALIDATION_ERROR (times that do not fit the stored ones, or a monitor of another
 * team)
 */
export async function updateWindow({ ctx, input }: Call<Input>): Promise<MaintenanceWindow> {
  const { team } = ctx;
  const { id, title, checks, isAnnounced, announceHours, notifiesChannels, externalId, ifUpdatedAt } = input;
  const description = input.description === undefined ? undefined : input.description || null;
  const update = async (tx: Tx) => {
    await lockTeam(tx, team.id);
    // Locks the window, because the new start is validated against the stored end and vice versa.
    if (!(await lockMaintenanceWindow(tx, team.id, id))) throw windowNotFound();
    const before = await readWindow(tx, team.id, id);
    const updatedAt = new Date(before.updatedAt);
    await assertUnchanged(tx, { teamId: team.id, id, updatedAt }, ifUpdatedAt);
    assertReadOnly(input, before);
    const times = timesOf(before, input);
    const monitors = mergeScope(before, input);
    const { startsAt, endsAt, ...rest } = times;
    const fields = { title, description, checks, isAnnounced, announceHours, notifiesChannels, externalId };
    const given = { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString(), ...rest, ...monitors, ...fields };
    if (changesNothing(before, given)) return before;
    const now = await databaseNow(tx);
    const isOfOthers = !changesNothing({ monitorIds: before.monitorIds, tags: before.tags }, monitors);
    if (isOfOthers) await assertFewPeriods(tx, team.id, now);
    const row = await tx.maintenanceWindow.findUniqueOrThrow({ where: { id } });
    await lockScope(tx, team.id, monitors, row, now);
    await planMissed(tx, row, now);
    const changed = await tx.maintenanceWindow.update({
      where: { id },
      data: {
        ...times,
        skippedStarts: keptSkips(row, times),
        updatedAt: nextVersion(updatedAt),
        sequence: { increment: 1 },
        plannedUntil: plannedUntil(times, now),
        ...Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)),
      },
    });
    const scope = await setMonitors(tx, team.id, id, monitors);
    await applyWindow(tx, row, { ...changed, ...scope }, now);
    if (changed.notifiesChannels || row.notifiesChannels) await queueAnnouncements(tx, row);
    const after = await readWindow(tx, team.id, id);
    await auditWindow(tx, ctx, 'maintenance_window.update', before, after);
    return after;
  };
  return settingExternalId('maintenance window', () => ctx.db.$transaction(update));
}
