import { countOpenByType } from '@/server/incidents/count-by-type';
import { IncidentType } from '@/server/incidents/schema';
import { MonitorStatus } from '@/server/monitor-types/schema';
import { listFigures, type MonitorFigures } from '@/server/monitors/list-figures';
import { withShare } from '@/server/platform/database/connection-share';
import { db } from '@/server/platform/db';
import { invalidField } from '@/server/platform/errors';
import { authorise } from '@/server/trpc/access';
import { createContext } from '@/server/trpc/context';
import { countedBy, family, prometheusText, type Sample } from './prometheus';

/** The path of a team's metrics. */
export const TEAM_METRICS_PATH = '/api/v1/metrics';

/** Up and degraded are 1, down is 0; other statuses have no value. */
const UP: Partial<Record<MonitorStatus, number>> = { up: 1, degraded: 1, down: 0 };

type Figure = (monitor: MonitorFigures) => number | null | undefined;

const seconds = (at: Date | null) => (at ? at.getTime() / 1000 : null);

/** One sample for each monitor with a value. */
function perMonitor(monitors: MonitorFigures[], figure: Figure): Sample[] {
  return monitors.flatMap((monitor): Sample[] => {
    const { id, name, type } = monitor;
    const value = figure(monitor);
    return value === null || value === undefined ? [] : [['', { monitor: id, name, type }, value]];
  });
}

async function teamFamilies(teamId: string): Promise<string[][]> {
  const [monitors, incidents] = await Promise.all([listFigures(db, teamId), countOpenByType(db, teamId)]);
  const byStatus = new Map<string, number>();
  for (const { status } of monitors) byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
  const each = (name: string, help: string, figure: Figure) =>
    family(name, 'gauge', help, perMonitor(monitors, figure));
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
    each('upwatch_monitor_up', '1 if up or degraded, 0 if down; absent otherwise.', ({ status }) => UP[status]),
    family(
      'upwatch_monitor_status',
      'gauge',
      'Current status of each monitor, as a label.',
      monitors.map(({ id, name, type, status }) => ['', { monitor: id, name, type, status }, 1]),
    ),
    each('upwatch_monitor_status_since_seconds', 'Start of the current status in Unix time.', ({ statusSince }) =>
      seconds(statusSince),
    ),
    each('upwatch_monitor_last_check_seconds', 'Time of the last check or ping in Unix time.', ({ lastCheckedAt }) =>
      seconds(lastCheckedAt),
    ),
    each('upwatch_monitor_latency_seconds', 'Duration of the last check.', ({ lastLatencyMs }) =>
      lastLatencyMs === null ? null : lastLatencyMs / 1000,
    ),
  ];
}

/** The team of the credential; rate-limit headers are set on `headers`. */
async function teamOf(request: Request, headers: Headers, requestId: string): Promise<string> {
  const context = await createContext('api', request.headers, requestId);
  try {
    const actor = await authorise(context, { kind: 'team', role: 'viewer', scope: 'read' }, 'query');
    if (actor.kind !== 'anonymous' && actor.team) return actor.team.id;
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
  const teamId = await teamOf(request, headers, requestId);
  const [parameter] = new URL(request.url).searchParams.keys();
  if (parameter !== undefined) throw invalidField(parameter, 'Unknown query parameter. None are allowed here.');
  const answer = prometheusText((await withShare({ team: teamId }, () => teamFamilies(teamId))).flat(), headers);
  return request.method === 'HEAD' ? new Response(null, { headers: answer.headers }) : answer;
}
