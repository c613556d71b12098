import { countOpenByType } from '@/server/incidents/count-by-type';
import { IncidentType } from '@/server/incidents/schema';
import { MonitorStatus } from '@/server/monitor-types/schema';
import { type MonitorFigures, pagesOfFigures } from '@/server/monitors/list/list-figures';
import { db } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { takeLoopTurn } from '@/server/platform/loop-share';
import { authorise } from '@/server/trpc/access';
import { createContext } from '@/server/trpc/context';
import { runInShareOf } from '@/server/trpc/share';
import { countedBy, family, labelText, prometheusText } from './prometheus';

/** The path of a team's metrics. */
export const TEAM_METRICS_PATH = '/api/v1/metrics';

/** The value of each status; others have none. */
const UP: Partial<Record<MonitorStatus, number>> = { up: 1, degraded: 1, down: 0 };

type Figure = (monitor: MonitorFigures) => number | null | undefined;

const seconds = (at: Date | null) => (at ? at.getTime() / 1000 : null);

/** The metric families with a sample for each monitor that has a value. */
const PER_MONITOR: { name: string; help: string; figure: Figure; hasStatus?: boolean }[] = [
  {
    name: 'upwatch_monitor_up',
    help: '1 if up or degraded, 0 if down; absent otherwise.',
    figure: ({ status }) => UP[status],
  },
  {
    name: 'upwatch_monitor_status',
    help: 'Current status of each monitor, as a label.',
    figure: () => 1,
    hasStatus: true,
  },
  {
    name: 'upwatch_monitor_status_since_seconds',
    help: 'Start of the current status in Unix time.',
    figure: ({ statusSince }) => seconds(statusSince),
  },
  {
    name: 'upwatch_monitor_last_check_seconds',
    help: 'Time of the last check or ping in Unix time.',
    figure: ({ lastCheckedAt }) => seconds(lastCheckedAt),
  },
  {
    name: 'upwatch_monitor_latency_seconds',
    help: 'Duration of the last check.',
    figure: ({ lastLatencyMs }) => lastLatencyMs && lastLatencyMs / 1000,
  },
];

/**
 * Returns the lines of all families. Takes a turn of the event loop for each page of monitors, so that a team with many of them does not delay
 * others.
 */
async function teamLines(teamId: string): Promise<string[]> {
  const incidents = await countOpenByType(db, teamId);
  const byStatus = new Map<string, number>();
  const families = PER_MONITOR.map((each) => ({ ...each, lines: family(each.name, 'gauge', each.help, []) }));
  for await (const monitors of pagesOfFigures(db, teamId)) {
    await takeLoopTurn(teamId);
    for (const monitor of monitors) {
      const { id, name, type, status } = monitor;
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
      const labels = labelText({ monitor: id, name, type });
      for (const { name: metric, figure, hasStatus, lines } of families) {
        const value = figure(monitor);
        if (value === null || value === undefined) continue;
        lines.push(`${metric}{${labels}${hasStatus ? `,status="${status}"` : ''}} ${value}`);
      }
    }
  }
  return [
    family(
      'upwatch_team_monitors',
      'gauge',
      'Monitors by status.',
      countedBy('status', MonitorStatus.options, byStatus),
    ),
    family(
      'upwatch_team_incidents_open',
      'gauge',
      'Unresolved incidents by type.',
      countedBy('type', IncidentType.options, incidents),
    ),
    ...families.map(({ lines }) => lines),
  ].flat();
}

/**
 * Authorises the request, and returns the caller and its team. Sets rate-limit headers on `headers`.
 * @throws AppError UNAUTHENTICATED, INSUFFICIENT_SCOPE, RATE_LIMITED
 */
async function callerOf(request: Request, headers: Headers, requestId: string) {
  const context = await createContext('api', request.headers, requestId);
  try {
    const actor = await authorise(context, { kind: 'team', role: 'viewer', scope: 'read' }, 'query', 'monitors');
    if (actor.kind !== 'anonymous' && actor.team) return { actor, address: context.address, teamId: actor.team.id };
    throw new Error('authorise let someone without a team pass.');
  } finally {
    for (const [name, value] of context.resHeaders) headers.set(name, value);
  }
}

/**
 * Answers GET and HEAD with the metrics of the credential's team in Prometheus' text format.
 * @throws AppError UNAUTHENTICATED, INSUFFICIENT_SCOPE, RATE_LIMITED, VALIDATION_ERROR for query parameters
 */
export async function serveTeamMetrics(request: Request, headers: Headers, requestId: string): Promise<Response> {
  const { teamId, ...caller } = await callerOf(request, headers, requestId);
  const [parameter] = new URL(request.url).searchParams.keys();
  if (parameter !== undefined) throw invalidField(parameter, 'Unknown query parameter. None are allowed here.');
  const answer = prometheusText(await runInShareOf({ ...caller, kind: 'query' }, () => teamLines(teamId)), headers);
  return request.method === 'HEAD' ? new Response(null, { headers: answer.headers }) : answer;
}
