import { z } from 'zod';
import type { TeamContext } from '@/server/auth/contexts';
import { scheduleRegions } from '@/server/checks/schedule-regions';
import { markStale } from '@/server/history/mark-stale';
import { resolveIncidents } from '@/server/incidents/resolve-incidents';
import { type Tx, violatedConstraint } from '@/server/platform/db';
import type { Monitor as MonitorRow, Prisma } from '@/server/platform/generated/prisma/client';
import { notify, notifySchedule } from '@/server/platform/listen';
import { assertCheckable } from './assert-checkable';
import { assertRegions } from './assert-regions';
import { auditMonitor } from './audit-monitor';
import { changeStatus } from './change-status';
import { sealConfig } from './config-secrets';
import { externalIdTaken } from './create-monitor';
import { changedInterval } from './interval';
import { pingUrlOf, withoutPingUrl } from './ping-url';
import { monitorNotFound, readMonitor } from './queries';
import { configSchemas, type Monitor, type TypedConfig, type UpdateMonitorInput } from './schema';
import { setChannels } from './set-channels';
import { keepWatch, knownUntil } from './watch';

/** Parses a new config by the monitor's own type, with issues under `config`. */
function parseConfig(row: MonitorRow, config: Record<string, unknown>): TypedConfig {
  const parsed = z.object({ config: configSchemas[row.type] }).parse({ config });
  return { type: row.type, config: withoutPingUrl(parsed.config, pingUrlOf(row)) } as TypedConfig;
}

/** Now, by the clock that checks go by, and later than what they found last: spans follow each other. */
async function readMoment(tx: Tx, monitorId: string): Promise<{ at: Date; lastCheckedAt: Date | null } | undefined> {
  const [row] = await tx.$queryRaw<{ at: Date; lastCheckedAt: Date | null }[]>`
    select greatest(clock_timestamp(), status_since + interval '1 ms') as at, last_checked_at as "lastCheckedAt"
    from monitor_states where monitor_id = ${monitorId}`;
  return row;
}

/** What nobody saw before a pause was unknown, not what the last check had said. */
async function endUnwatched(tx: Tx, row: MonitorRow, at: Date): Promise<void> {
  const { status, lastCheckedAt } = await tx.monitorState.findUniqueOrThrow({ where: { monitorId: row.id } });
  const known = knownUntil(row, lastCheckedAt);
  if (!known || known >= at || !['up', 'degraded', 'down'].includes(status)) return;
  const monitorNum = row.num;
  await tx.statusSpan.updateMany({ where: { monitorNum, endedAt: null }, data: { endedAt: known } });
  await tx.statusSpan.create({ data: { monitorNum, startedAt: known, status: 'unknown' } });
  await markStale(tx, [{ monitorNum, since: known }]);
}

async function pause(tx: Tx, row: MonitorRow, at: Date): Promise<void> {
  await endUnwatched(tx, row, at);
  await changeStatus(tx, row, { status: 'paused', at, dueAt: null });
  const open = (['status', 'certificate'] as const).map((subject) => {
    return { monitorId: row.id, subject, resolvedAt: at, message: 'The monitor was paused.' };
  });
  await resolveIncidents(tx, open);
}

/**
 * Changes a monitor. A changed configuration is checked at once; results of checks of the old one no longer count.
 * @throws AppError NOT_FOUND, PLAN_LIMIT_REACHED, VALIDATION_ERROR
 */
export async function updateMonitor({ ctx, input }: { ctx: TeamContext; input: UpdateMonitorInput }): Promise<Monitor> {
  const { team } = ctx;
  const { id, channelIds, isActive, config, regions } = input;
  try {
    return await ctx.db.$transaction(async (tx) => {
      // The state's row is locked before the monitor's, as the recording of results does: one order, no deadlock. The
      // monitor's, so that a kept secret is the latest one.
      await tx.$queryRaw`
        select 1 from monitor_states s join monitors m on m.id = s.monitor_id
        where m.id = ${id} and m.team_id = ${team.id} for update of s for no key update of m`;
      const moment = await readMoment(tx, id);
      const row = await tx.monitor.findFirst({ where: { id, teamId: team.id } });
      if (!row || !moment) throw monitorNotFound();
      const { at } = moment;
      const before = await readMonitor(tx, team.id, id);
      const data: Prisma.MonitorUpdateInput = { version: { increment: 1 }, updatedAt: at };
      if (input.name !== undefined) data.name = input.name;
      if (input.tags !== undefined) data.tags = [...new Set(input.tags)];
      if (input.externalId !== undefined) data.externalId = input.externalId;
      if (isActive !== undefined) data.isActive = isActive;
      if (regions !== undefined) {
        assertRegions(row.type, regions);
        data.regions = regions;
      }
      const next = config === undefined ? null : parseConfig(row, config);
      if (next) {
        assertCheckable(next);
        data.config = sealConfig(next, row.config) as object;
      }
      const asked = { type: row.type, asked: input.intervalSeconds };
      const intervalSeconds = changedInterval(team.plan, row.config, next, asked);
      if (intervalSeconds !== undefined) data.intervalSeconds = intervalSeconds;
      const rules = { intervalSeconds: intervalSeconds ?? row.intervalSeconds, config: data.config ?? row.config };
      Object.assign(data, keepWatch(row, rules, moment));
      await tx.monitor.update({ where: { id }, data });
      if (channelIds !== undefined) await setChannels(tx, team.id, id, channelIds);
      if (isActive === false && row.isActive) await pause(tx, row, at);
      else if (isActive === true && !row.isActive) await changeStatus(tx, row, { status: 'pending', at, dueAt: at });
      else if (isActive ?? row.isActive) await checkSoon(tx, id, at, config !== undefined);
      const isOn = isActive ?? row.isActive;
      const afresh = config !== undefined || !isOn || !row.isActive;
      await scheduleRegions(tx, id, regions ?? row.regions, { dueAt: isOn ? at : null, afresh });
      await notifySchedule(tx);
      await notify(tx, { team: team.id, kind: 'monitor', ids: [id] });
      const monitor = await readMonitor(tx, team.id, id);
      await auditMonitor(tx, ctx, 'monitor.update', before, monitor);
      return monitor;
    });
  } catch (error) {
    if (violatedConstraint(error)?.includes('external_id')) throw externalIdTaken();
    throw error;
  }
}

/**
 * Drops the present claim, so that the edited monitor is claimed anew. A new configuration starts its count of failures
 * afresh: those seen before were another configuration's.
 */
async function checkSoon(tx: Tx, monitorId: string, dueAt: Date, configChanged: boolean): Promise<void> {
  const counted = { failures: 0, recoveries: 0, turnedAt: null, paceChecks: 0, paceTurnedAt: null, changes: [] };
  const fresh = configChanged ? counted : {};
  await tx.monitorState.update({
    where: { monitorId },
    data: { dueAt, claimedBy: null, claimedUntil: null, revision: { increment: 1 }, ...fresh },
  });
}
