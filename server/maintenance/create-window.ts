import { settingExternalId } from '@/server/external-ids/setting-external-id';
import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { lockTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { queueAnnouncements } from './announce-window';
import { applyWindow, plannedUntil } from './apply-window';
import { assertFewPeriods } from './assert-few-periods';
import { auditWindow } from './audit-window';
import { readWindow } from './queries';
import { assertRecurs } from './recurrence/assert-recurs';
import type { CreateMaintenanceWindowInput, MaintenanceWindow } from './schema';
import { lockScope, setMonitors } from './set-monitors';

/** The maximum per team on every plan, because the creation of a monitor reads all of them. */
const MOST_WINDOWS = 1_000;

/**
 * Creates a maintenance window, which applies at once, even if it has already started.
 * @param id set by an import, so that it finds the window again after an interruption
 * @throws AppError VALIDATION_ERROR (a monitor of another team, a rule without dates), PLAN_LIMIT_REACHED
 */
export async function createWindow(
  { ctx, input }: Call<CreateMaintenanceWindowInput>,
  id = newId(),
): Promise<MaintenanceWindow> {
  const { team } = ctx;
  const { title, description, monitorIds = null, tags = [], checks, isAnnounced, announceHours = null } = input;
  const { notifiesChannels = false, externalId = null } = input;
  const { recurrence = null, timezone = 'UTC' } = input;
  const times = { startsAt: new Date(input.startsAt), endsAt: new Date(input.endsAt), recurrence, timezone };
  assertRecurs(times);
  const create = async (tx: Tx) => {
    await lockTeam(tx, team.id);
    if ((await tx.maintenanceWindow.count({ where: { teamId: team.id } })) >= MOST_WINDOWS) {
      throw new AppError(
        'PLAN_LIMIT_REACHED',
        `A team can have at most ${MOST_WINDOWS} maintenance windows. Delete past ones.`,
      );
    }
    const now = await databaseNow(tx);
    await assertFewPeriods(tx, team.id, now);
    await lockScope(tx, team.id, { monitorIds, tags }, null, now);
    const row = await tx.maintenanceWindow.create({
      data: {
        ...times,
        id,
        teamId: team.id,
        title,
        description: description || null,
        announceHours,
        notifiesChannels,
        externalId,
        ...(checks && { checks }),
        ...(isAnnounced !== undefined && { isAnnounced }),
        plannedUntil: plannedUntil(times, now),
      },
    });
    const scope = await setMonitors(tx, team.id, id, { monitorIds, tags });
    await applyWindow(tx, null, { ...row, ...scope }, now);
    if (notifiesChannels) await queueAnnouncements(tx, { id, teamId: team.id });
    const window = await readWindow(tx, team.id, id);
    await auditWindow(tx, ctx, 'maintenance_window.create', null, window);
    return window;
  };
  return settingExternalId('maintenance window', () => ctx.db.$transaction(create));
}
