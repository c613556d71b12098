import { downAfter } from '@/server/checks/schedule/down-after';
import { readPhases } from '@/server/history/latency/read-check-latency';
import { readChart } from '@/server/history/monitor/chart';
import { rangeMs } from '@/server/history/monitor/read-uptime';
import { dayStrip, dayTimes, type History, readHistories, uptimeIn } from '@/server/history/read-histories';
import { toUptime } from '@/server/history/uptime';
import { testsConnection } from '@/server/monitor-types/config/tests-connection';
import { definitionOf, isPassive } from '@/server/monitor-types/definitions';
import { shownStatus } from '@/server/monitor-types/output/shown-status';
import { type MonitorView, monitorInclude, monitorNotFound, toMonitor } from '@/server/monitor-types/output/to-monitor';
import { MonitorDetail, type MonitorDetailInput, UptimeRange } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import type { HeartbeatBody, MonitorState, MonitorSteps } from '@/server/platform/generated/prisma/client';
import { periodAt } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { readRegions } from './regions';

const DAYS = 90;

function toHeartbeat({ runStartedAt }: MonitorState, lastBody: HeartbeatBody | null): MonitorDetail['heartbeat'] {
  return {
    runningSince: runStartedAt?.toISOString() ?? null,
    lastBody: lastBody && { at: lastBody.at.toISOString(), signal: lastBody.signal, body: lastBody.body },
  };
}

const toSteps = (last: MonitorSteps | null): MonitorDetail['steps'] =>
  last && MonitorDetail.shape.steps.parse({ at: last.at.toISOString(), steps: last.steps });

function toDayUptimes(history: History, firstDay: number, now: Date): MonitorDetail['dayUptimes'] {
  return dayTimes(history, firstDay, DAYS, now).map((time) => {
    const { ratio, downSeconds } = toUptime(time);
    return { ratio, downSeconds, degradedSeconds: time.degraded / 1000 };
  });
}

/** Returns the maintenance windows that a monitor is in at a given time, except deleted ones; the one that ends last first. */
async function readRunningWindows(db: Db, teamId: string, monitorNum: number, at: Date) {
  const periods = await db.maintenancePeriod.findMany({
    where: { monitorNum, startsAt: { lte: at }, endsAt: { gt: at } },
    orderBy: { endsAt: 'desc' },
  });
  if (periods.length === 0) return [];
  const ids = periods.map(({ windowId }) => windowId);
  const windows = await db.maintenanceWindow.findMany({
    where: { teamId, id: { in: ids } },
    select: { id: true, title: true },
  });
  const titles = new Map(windows.map(({ id, title }) => [id, title]));
  return periods.flatMap(({ windowId, endsAt }, index) => {
    const title = titles.get(windowId);
    // If two occurrences of a window overlap, the later end is used.
    const isNamed = ids.indexOf(windowId) < index;
    return title === undefined || isNamed ? [] : [{ id: windowId, title, endsAt: endsAt.toISOString() }];
  });
}

/**
 * Returns the data of a monitor page.
 * @throws AppError NOT_FOUND
 */
export async function getMonitorDetail(
  db: Db,
  teamId: string,
  input: MonitorDetailInput,
  view: MonitorView,
): Promise<MonitorDetail> {
  const row = await db.monitor.findFirst({
    where: { id: input.id, teamId },
    include: {
      ...monitorInclude,
      states: true,
      lastBody: true,
      lastSteps: true,
      incidents: { where: { openKey: { not: null } }, select: { id: true }, orderBy: { type: 'asc' }, take: 1 },
    },
  });
  const state = row?.states.find(({ region }) => region === '');
  if (!row || !state) throw monitorNotFound();
  const { num } = row;
  const now = new Date();
  const watched = { ...row, lastCheckedAt: state.lastCheckedAt };
  const ranges = UptimeRange.options.map((range) => {
    return { range, from: new Date(now.getTime() - rangeMs[range]), to: now };
  });
  const [histories, { chart, from }, regions] = await Promise.all([
    readHistories(db, [watched], ranges),
    readChart(db, watched, input.range, now),
    readRegions(db, row, row.states),
  ]);
  const phases = await readPhases(db, num, from);
  const maintenance = state.status === 'paused' ? null : periodAt(state.maintenance, now);
  const history = histories.get(num);
  const firstDay = Math.floor(now.getTime() / DAY_MS) - DAYS + 1;
  const monitor = toMonitor({ ...row, states: [state] }, view);
  return {
    monitor,
    statusSince: shownStatus(state, now).statusSince.toISOString(),
    maintenanceUntil: maintenance?.endsAt.toISOString() ?? null,
    maintenanceWindows: maintenance ? await readRunningWindows(db, teamId, num, now) : [],
    dueAt: (regions ? regions.dueAt : state.dueAt)?.toISOString() ?? null,
    lastError: state.lastError,
    isFlapping: state.steadySince !== null,
    request: definitionOf(monitor.type).request(monitor.config),
    isConnectionTested: testsConnection(monitor),
    downAfter: downAfter(row, state, now),
    regions: regions?.regions ?? [],
    openIncidentId: row.incidents[0]?.id ?? null,
    certificate: MonitorDetail.shape.certificate.parse(state.certificate),
    heartbeat: isPassive(row.type) ? toHeartbeat(state, row.lastBody) : null,
    uptimes: ranges.flatMap(({ range, ...stretch }) => {
      const { from: since, to } = stretch;
      return history ? [{ range, from: since.toISOString(), to: to.toISOString(), ...uptimeIn(history, stretch) }] : [];
    }),
    days: history ? dayStrip(history, firstDay, DAYS, now) : [],
    dayUptimes: history ? toDayUptimes(history, firstDay, now) : [],
    chart,
    steps: toSteps(row.lastSteps),
    phases,
  };
}
