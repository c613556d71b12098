import { z } from 'zod';
import { Instant } from '@/server/text/schema';

export { shortReason } from './short-reason';

// What pages that show monitors need in the browser. Without the definitions of the types, which are ten times as large and only the form needs.

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
export const MonitorType = z.enum(monitorTypes);
export type MonitorType = z.infer<typeof MonitorType>;

/** Types that wait for pings; a worker checks all others over the network. */
export const passiveTypes = ['heartbeat'] as const satisfies MonitorType[];
export type PassiveType = (typeof passiveTypes)[number];

/** Returns whether monitors of a type wait for pings instead of being checked. */
export function isPassive(type: MonitorType): type is PassiveType {
  return (passiveTypes as readonly MonitorType[]).includes(type);
}

/** Most severe first, the order of every list. */
export const MonitorStatus = z.enum(['down', 'degraded', 'unknown', 'maintenance', 'paused', 'pending', 'up']);
export type MonitorStatus = z.infer<typeof MonitorStatus>;

/** `worst`: most severe first, then by name. `p95`: slowest first. `uptime`: lowest first. `changed`: the latest change of status first. */
export const OverviewSort = z.enum(['worst', 'name', 'p95', 'uptime', 'changed']);
export type OverviewSort = z.infer<typeof OverviewSort>;

export const OverviewGroup = z.enum(['tag', 'type', 'parent']);
export type OverviewGroup = z.infer<typeof OverviewGroup>;

/** The maximum number of rows of a list in order. */
export const MOST_LISTED = 10_000;

/** The severity of an incident, most severe first. */
export const IncidentSeverity = z.enum(['critical', 'warning', 'minor']);
export type IncidentSeverity = z.infer<typeof IncidentSeverity>;

/** A check as REST returns it; a phase that did not happen is null. Durations in milliseconds. */
export const Check = z.object({
  id: z.string(),
  monitorId: z.string(),
  region: z.string(),
  at: z.iso.datetime(),
  status: MonitorStatus,
  latencyMs: z.number().nullable(),
  timings: z.object({
    dnsMs: z.number().nullable(),
    connectMs: z.number().nullable(),
    tlsMs: z.number().nullable(),
    firstByteMs: z.number().nullable(),
    downloadMs: z.number().nullable(),
  }),
  statusCode: z.number().nullable(),
  error: z.string().nullable(),
});
export type Check = z.infer<typeof Check>;

export const UptimeRange = z.enum(['24h', '7d', '30d', '90d']);
export type UptimeRange = z.infer<typeof UptimeRange>;

/** The ranges of a monitor's chart; the shortest starts later for a monitor created within it. */
export const ChartRange = z.enum(['3h', '24h', '7d', '30d', '90d']);
export type ChartRange = z.infer<typeof ChartRange>;

/** The shortest and the longest span of a chart, in milliseconds. */
const SHORTEST_CHART_MS = 60_000;
const LONGEST_CHART_MS = 366 * 86_400_000;

/** A chart of any span in the past. */
export const MonitorChartInput = z
  .strictObject({ id: z.string(), since: Instant, until: Instant })
  .superRefine((input, ctx) => {
    const [since, until] = [Date.parse(input.since), Date.parse(input.until)];
    const wrong = (path: string, message: string) => ctx.addIssue({ code: 'custom', path: [path], message });
    if (until - since < SHORTEST_CHART_MS) wrong('until', 'The end must be at least 1 minute after the start.');
    else if (until - since > LONGEST_CHART_MS) wrong('until', 'A chart can cover at most 366 days.');
    else if (since > Date.now()) wrong('since', 'The start must be in the past.');
  });
export type MonitorChartInput = z.infer<typeof MonitorChartInput>;
