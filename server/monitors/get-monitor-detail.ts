import type { Db } from '@/server/platform/db';
import type { HeartbeatBody, MonitorState } from '@/server/platform/generated/prisma/client';
import { rangeMs } from './history';
import { readPhases, readPoints } from './latency';
import { monitorInclude, monitorNotFound, toMonitor } from './queries';
import { type ChartRange, MonitorDetail, type MonitorDetailInput, UptimeRange } from './schema';
import { readSpans } from './spans';
import { type Span, stripFromSpans, uptimeFromSpans } from './uptime';
import { knownUntil } from './watch';

/** Length of a chart and of its parts, in seconds. */
const charts: Record<ChartRange, { seconds: number; part: number }> = {
  '3h': { seconds: 3 * 3600, part: 60 },
  '24h': { seconds: 24 * 3600, part: 300 },
  '7d': { seconds: 7 * 86_400, part: 3600 },
  '30d': { seconds: 30 * 86_400, part: 4 * 3600 },
};

function outagesIn(spans: Span[], from: Date): { from: string; to: string | null }[] {
  return spans
    .filter(({ status, endedAt }) => status === 'down' && (!endedAt || endedAt > from))
    .map(({ startedAt, endedAt }) => ({ from: startedAt.toISOString(), to: endedAt?.toISOString() ?? null }));
}

function toHeartbeat({ runStartedAt }: MonitorState, lastBody: HeartbeatBody | null): MonitorDetail['heartbeat'] {
  return {
    runningSince: runStartedAt?.toISOString() ?? null,
    lastBody: lastBody && { at: lastBody.at.toISOString(), signal: lastBody.signal, body: lastBody.body },
  };
}

/** All a monitor's page shows. @throws AppError NOT_FOUND */
export async function getMonitorDetail(db: Db, teamId: string, input: MonitorDetailInput): Promise<MonitorDetail> {
  const row = await db.monitor.findFirst({
    where: { id: input.id, teamId },
    include: {
      ...monitorInclude,
      state: true,
      lastBody: true,
      incidents: { where: { openKey: { not: null } }, select: { id: true }, orderBy: { type: 'asc' }, take: 1 },
    },
  });
  if (!row?.state) throw monitorNotFound();
  const { state, num } = row;
  const { seconds, part } = charts[input.range];
  // A part shorter than the interval would leave gaps where nothing is missing.
  const bucketSeconds = Math.max(part, row.intervalSeconds);
  const parts = Math.ceil(seconds / bucketSeconds);
  // Parts end on whole multiples of their length, so that a point keeps its place from one reading to the next.
  const bucketMs = bucketSeconds * 1000;
  const to = new Date(Math.ceil(Date.now() / bucketMs) * bucketMs);
  const from = new Date(to.getTime() - parts * bucketMs);
  const now = new Date();
  const longest = new Date(now.getTime() - rangeMs['90d']);
  const [spansByNum, points, phases] = await Promise.all([
    readSpans(db, [num], longest < from ? longest : from),
    readPoints(db, num, { from, parts, bucketSeconds }),
    readPhases(db, num, from),
  ]);
  const spans = spansByNum.get(num) ?? [];
  const watchedUntil = knownUntil(row, state.lastCheckedAt);
  const strip = stripFromSpans(spans, { from, to, parts, now, watchedUntil });
  return {
    monitor: toMonitor(row),
    statusSince: state.statusSince.toISOString(),
    dueAt: state.dueAt?.toISOString() ?? null,
    lastError: state.lastError,
    openIncidentId: row.incidents[0]?.id ?? null,
    certificate: MonitorDetail.shape.certificate.parse(state.certificate),
    heartbeat: row.type === 'heartbeat' ? toHeartbeat(state, row.lastBody) : null,
    uptimes: UptimeRange.options.map((range) => {
      const start = new Date(now.getTime() - rangeMs[range]);
      const uptime = uptimeFromSpans(spans, start, now, watchedUntil);
      return { range, from: start.toISOString(), to: now.toISOString(), ...uptime };
    }),
    chart: {
      from: from.toISOString(),
      to: to.toISOString(),
      bucketSeconds,
      points: points.map((point, index) => ({ ...point, status: strip[index] ?? null })),
      outages: outagesIn(spans, from),
    },
    phases,
  };
}
