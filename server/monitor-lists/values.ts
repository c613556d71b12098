// The values that pages show and compare. Without zod, because most page views validate nothing.

export { shortReason } from './short-reason';

/** Every type, in display order. */
export const monitorTypes = [
  'http',
  'tcp',
  'ping',
  'dns',
  'tls',
  'domain',
  'websocket',
  'grpc',
  'smtp',
  'redis',
  'postgresql',
  'mysql',
  'mqtt',
  'ssh',
  'mailbox',
  'multistep',
  'heartbeat',
] as const;
export type MonitorType = (typeof monitorTypes)[number];

/** Types that wait for pings; a worker checks all others over the network. */
export const passiveTypes = ['heartbeat'] as const satisfies MonitorType[];
export type PassiveType = (typeof passiveTypes)[number];

/** Returns whether monitors of a type wait for pings instead of being checked. */
export function isPassive(type: MonitorType): type is PassiveType {
  return (passiveTypes as readonly MonitorType[]).includes(type);
}

/** Most severe first, the order of every list. */
export const monitorStatuses = ['down', 'degraded', 'unknown', 'maintenance', 'paused', 'pending', 'up'] as const;

/** `worst`: most severe first, then by name. `p95`: slowest first. `uptime`: lowest first. `changed`: the latest change of status first. */
export const overviewSorts = ['worst', 'name', 'p95', 'uptime', 'changed'] as const;

export const overviewGroups = ['tag', 'type', 'parent'] as const;

/** The maximum number of rows of a list in order. */
export const MOST_LISTED = 10_000;

/** The severity of an incident, most severe first. */
export const severities = ['critical', 'warning', 'minor'] as const;

/** The ranges of a monitor's chart; the shortest starts later for a monitor created within it. */
export const chartRanges = ['3h', '24h', '7d', '30d', '90d'] as const;

/** The shortest and the longest span of a chart, in milliseconds. */
export const SHORTEST_CHART_MS = 60_000;
export const LONGEST_CHART_MS = 366 * 86_400_000;
