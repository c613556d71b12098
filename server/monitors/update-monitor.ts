import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { assertReadOnly } from '@/server/audit/assert-read-only';
import { assertUnchanged, nextVersion } from '@/server/audit/assert-unchanged';
import { scheduleMonitors } from '@/server/checks/schedule/schedule-monitor';
import { SETTLED } from '@/server/checks/verdict/settled';
import { settingExternalId } from '@/server/external-ids/setting-external-id';
import { keepWatch } from '@/server/history/watch';
import { applyToMonitor } from '@/server/maintenance/apply-window';
import { isSameConfig, openConfig, type StoredConfig, sealConfig } from '@/server/monitor-types/config/config-secrets';
import { changedInterval } from '@/server/monitor-types/config/interval';
import { pingUrlOf, withoutPingUrl } from '@/server/monitor-types/config/ping-url';
import { assertExpressions } from '@/server/monitor-types/evaluation/assert-expressions';
import { monitorNotFound } from '@/server/monitor-types/output/to-monitor';
import { isCheckedByAgents } from '@/server/monitor-types/private-regions';
import { definitions, type Monitor, type TypedConfig, type UpdateMonitorInput } from '@/server/monitor-types/schema';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Monitor as MonitorRow } from '@/server/platform/generated/prisma/client';
import type { Plan } from '@/server/platform/generated/prisma/enums';
import { notify, notifySchedule } from '@/server/platform/listen';
import { lockMonitor, shareTeam } from '@/server/platform/locks';
import type { Call } from '@/server/trpc/contexts';
import { assertCheckable, assertRegions } from './assert-checkable';
import { auditMonitor } from './audit-monitor';
import { findPausedTooOften, pause, pausedTooOften, resume, type Switched } from './pause';
import { readMoments, readMonitor, viewFor } from './queries';
import { setChannels } from './set-channels';

/** Parses a new config with the schema of the monitor's type, with issues under `config`. */
function parseConfig(row: MonitorRow, config: Record<string, unknown>): TypedConfig {
  const parsed = z.object({ config: definitions[row.type].schema }).parse({ config });
  return { type: row.type, config: withoutPingUrl(parsed.config, pingUrlOf(row)) } as TypedConfig;
}

type Changes = Partial<
  Pick<MonitorRow, 'name' | 'tags' | 'externalId' | 'isActive' | 'regions' | 'severity' | 'intervalSeconds'>
> & {
  config?: object;
};

/**
 * Validates an edit and returns the columns that it changes, with their new values.
 * @throws AppError VALIDATION_ERROR, PLAN_LIMIT_REACHED (interval)
 */
function findChanges(plan: Plan, row: MonitorRow, input: UpdateMonitorInput, cronSeconds: number | null): Changes {
  const { name, externalId, isActive, regions, severity, config } = input;
  if (regions !== undefined) assertRegions(row.type, regions);
  const given = config === undefined ? null : parseConfig(row, config);
  const places = regions ?? row.regions;
  if (given) assertCheckable(given, places);
  // So far, only agents connected to its target.
  else if (isCheckedByAgents(row.regions)) assertCheckable(openConfig(row.type, row.config), places);
  const sealed = given && sealConfig(given, row.config);
  const isNew = sealed !== null && !isSameConfig(row.type, sealed, row.config as StoredConfig);
  const asked = { type: row.type, asked: input.intervalSeconds, cronSeconds };
  const intervalSeconds = changedInterval(plan, row.config, isNew ? given : null, asked);
  const tags = input.tags && [...new Set(input.tags)];
  const wanted = {
    name,
    tags,
    externalId,
    isActive,
    regions,
    severity,
    intervalSeconds,
    config: isNew ? sealed : undefined,
  };
  const changed = Object.entries(wanted).filter(
    ([column, value]) => value !== undefined && !isDeepStrictEqual(value, row[column as keyof MonitorRow]),
  );
  return Object.fromEntries(changed);
}

/** Removes duplicates from channel IDs and sorts them, as in the API form of a monitor. */
function toSet(ids: string[] | null): string[] | null {
  return ids && [...new Set(ids)].sort();
}

/**
 * Updates a monitor; writes nothing if nothing changes. Any change makes the next check due at once and ends claims, so that results of running
 * checks no longer count. A changed config also resets the streaks.
 * @throws AppError NOT_FOUND, PLAN_LIMIT_REACHED, EDIT_CONFLICT, VALIDATION_ERROR, RATE_LIMITED (paused too often)
 */
export async function updateMonitor({ ctx, input }: Call<UpdateMonitorInput>): Promise<Monitor> {
  const { team } = ctx;
  const { id, channelIds, isActive, regions, ifUpdatedAt } = input;
  const cronSeconds = input.config === undefined ? null : await assertExpressions(team.id, input.config);
  return settingExternalId('monitor', () =>
    ctx.db.$transaction(async (tx) => {
      // Keeps the team's maintenance windows from changing before the monitor is added to those of its tags.
      await shareTeam(tx, team.id);
      // Locks the monitor, so that an unchanged secret is the latest one.
      await lockMonitor(tx, team.id, { id });
      const moment = (await readMoments(tx, [id])).get(id);
      const row = await tx.monitor.findFirst({ where: { id, teamId: team.id } });
      if (!row || !moment) throw monitorNotFound();
      await assertUnchanged(tx, row, ifUpdatedAt);
      const { at } = moment;
      const before = await readMonitor(tx, team.id, id, viewFor(ctx));
      assertReadOnly(input, before);
      const changes = findChanges(team.plan, row, input, cronSeconds);
      const hasChannels = channelIds === undefined || isDeepStrictEqual(toSet(channelIds), before.channelIds);
      if (Object.keys(changes).length === 0 && hasChannels) return before;
      if (row.deletesAt !== null && !isActive) throw beingDeleted();
      const data = {
        ...changes,
        ...(isActive && { deletesAt: null }),
        version: { increment: 1 },
        updatedAt: nextVersion(row.updatedAt),
      };
      await tx.monitor.update({ where: { id }, data: { ...data, ...keepWatch(row, { ...row, ...changes }, moment) } });
      if (isActive === false && row.isActive) await pauseOne(tx, team.id, { row, at });
      else if (isActive === true && !row.isActive) await resume(tx, team.id, [{ row, at }]);
      else if (row.isActive && changes.config !== undefined) await countAfresh(tx, id);
      const isOn = isActive ?? row.isActive;
      const afresh = !isOn || !row.isActive;
      const schedule = { monitorId: id, teamId: team.id, regions: regions ?? row.regions, dueAt: isOn ? at : null };
      await scheduleMonitors(tx, [schedule], { afresh });
      await applyToMonitor(tx, team.id, row, { now: at, mayDiffer: changes.tags !== undefined });
      if (channelIds !== undefined) await setChannels(tx, team.id, [id], channelIds);
      await notifySchedule(tx);
      await notify(tx, { team: team.id, kind: 'monitor', ids: [id] });
      const monitor = await readMonitor(tx, team.id, id, viewFor(ctx));
      const after = { monitor, stored: changes.config ?? row.config };
      await auditMonitor(tx, ctx, 'monitor.update', { monitor: before, stored: row.config }, after);
      return monitor;
    }),
  );
}

/** Returns the error for an edit of a monitor that is about to be deleted. Only resuming it is allowed, which restores it. */
const beingDeleted = () => new AppError('EDIT_CONFLICT', 'This monitor is being deleted. Undo its deletion first.');

/** @throws AppError RATE_LIMITED if the monitor was paused too often */
async function pauseOne(tx: Tx, teamId: string, monitor: Switched): Promise<void> {
  if ((await findPausedTooOften(tx, [monitor])).size > 0) throw pausedTooOften();
  await pause(tx, teamId, [monitor]);
}

/**
 * Resets the streaks of the monitor and its regions, because they belong to the former config. Keeps the statuses and the changes that count as
 * flapping, because an edit is not a recovery.
 */
async function countAfresh(tx: Tx, monitorId: string): Promise<void> {
  await tx.monitorState.updateMany({ where: { monitorId }, data: SETTLED });
}
