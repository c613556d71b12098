import { initialStates } from '@/server/checks/schedule/schedule-monitor';
import { settingExternalId } from '@/server/external-ids/setting-external-id';
import { applyToMonitor } from '@/server/maintenance/apply-window';
import { sealConfig } from '@/server/monitor-types/config/config-secrets';
import { newInterval } from '@/server/monitor-types/config/interval';
import { newPingToken, sealPingToken, withoutPingUrl } from '@/server/monitor-types/config/ping-url';
import { isPassive } from '@/server/monitor-types/definitions';
import { assertExpressions } from '@/server/monitor-types/evaluation/assert-expressions';
import type { CreateMonitorInput, Monitor, TypedConfig } from '@/server/monitor-types/schema';
import { planLimits } from '@/server/plans/plans';
import type { Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { newId } from '@/server/platform/ids';
import { notify, notifySchedule } from '@/server/platform/listen';
import { lockTeam, shareTeam } from '@/server/platform/locks';
import type { Call, TeamContext } from '@/server/trpc/contexts';
import { assertCheckable, assertRegions } from './assert-checkable';
import { auditMonitor } from './audit-monitor';
import { readMonitor, viewFor } from './queries';
import { setChannels } from './set-channels';

/**
 * Checks that the plan allows another monitor, and locks the team until the monitor is created.
 * @throws AppError PLAN_LIMIT_REACHED
 */
async function assertRoom(tx: Tx, { id, plan }: TeamContext['team']): Promise<void> {
  const cap = planLimits[plan].monitors;
  // Keeps the team's maintenance windows from changing before this monitor is added to them.
  if (cap === null) return shareTeam(tx, id);
  await lockTeam(tx, id);
  const count = await tx.monitor.count({ where: { teamId: id } });
  if (count >= cap) throw new AppError('PLAN_LIMIT_REACHED', `The ${plan} plan allows ${cap} monitors.`);
}

/**
 * Creates a monitor, due at once; a heartbeat waits for its first ping, and `isActive: false` creates it paused.
 * @param made set by an import: `id` is the ID of the new monitor, so that an interrupted import finds it again; `pingToken` is the former token of a
 * heartbeat, so that the jobs that ping it need no change
 * @throws AppError PLAN_LIMIT_REACHED (count or interval), VALIDATION_ERROR (unknown channel, externalId in use, a target that may not be connected
 * to)
 */
export async function createMonitor(
  { ctx, input }: Call<CreateMonitorInput>,
  { id = newId(), pingToken = null }: { id?: string; pingToken?: string | null } = {},
): Promise<Monitor> {
  const { team } = ctx;
  const typed = { type: input.type, config: withoutPingUrl(input.config, null) } as TypedConfig;
  assertCheckable(typed, input.regions);
  const cronSeconds = await assertExpressions(team.id, typed.config);
  const intervalSeconds = newInterval(team.plan, cronSeconds, input.intervalSeconds);
  const config = sealConfig(typed);
  const waitsForPings = isPassive(input.type);
  const { regions = [], isActive = true } = input;
  const status = isActive ? 'pending' : 'paused';
  assertRegions(input.type, regions);
  const now = new Date();
  const dueAt = isActive && !waitsForPings ? now : null;
  return settingExternalId('monitor', () =>
    ctx.db.$transaction(async (tx) => {
      await assertRoom(tx, team);
      const created = await tx.monitor.create({
        data: {
          id,
          teamId: team.id,
          type: input.type,
          name: input.name,
          config: config as object,
          intervalSeconds,
          tags: [...new Set(input.tags ?? [])],
          regions,
          severity: input.severity ?? 'critical',
          isActive,
          externalId: input.externalId ?? null,
          createdAt: now,
          updatedAt: now,
          ...(waitsForPings && (pingToken === null ? newPingToken() : sealPingToken(pingToken))),
          states: { createMany: { data: initialStates({ teamId: team.id, regions, dueAt, status }, now) } },
          spans: { create: { startedAt: now, status } },
        },
        select: { id: true, num: true },
      });
      await applyToMonitor(tx, team.id, created, { now, mayDiffer: true });
      if (input.channelIds) await setChannels(tx, team.id, [id], input.channelIds);
      await notifySchedule(tx);
      await notify(tx, { team: team.id, kind: 'monitor', ids: [id] });
      const monitor = await readMonitor(tx, team.id, id, viewFor(ctx));
      await auditMonitor(tx, ctx, 'monitor.create', null, { monitor, stored: config });
      return monitor;
    }),
  );
}
