import { z } from 'zod';
import { Instant } from '@/server/text/schema';
import {
  chartRanges,
  LONGEST_CHART_MS,
  monitorStatuses,
  monitorTypes,
  overviewGroups,
  overviewSorts,
  SHORTEST_CHART_MS,
  severities,
} from './values';

export { shortReason } from './short-reason';
export { isPassive, MOST_LISTED, monitorTypes, type PassiveType, passiveTypes } from './values';

// What pages that show monitors need in the browser. Without the definitions of the types, which are ten times as large and only the form needs. What
// needs no validation is in values.ts.

export const MonitorType = z.enum(monitorTypes);
export type MonitorType = z.infer<typeof MonitorType>;

/** Most severe first, the order of every list. */
export const MonitorStatus = z.enum(monitorStatuses);
export type MonitorStatus = z.infer<typeof MonitorStatus>;

export const OverviewSort = z.enum(overviewSorts);
export type OverviewSort = z.infer<typeof OverviewSort>;

export const OverviewGroup = z.enum(overviewGroups);
export type OverviewGroup = z.infer<typeof OverviewGroup>;

/** The severity of an incident, most severe first. */
export const IncidentSeverity = z.enum(severities);
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
export const ChartRange = z.enum(chartRanges);
export type ChartRange = z.infer<typeof ChartRange>;

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
