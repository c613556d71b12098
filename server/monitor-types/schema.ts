import { z } from 'zod';
import { ExternalIdPage, Page } from '@/server/lists/schema';
import {
  ChartRange,
  IncidentSeverity,
  MonitorStatus,
  MonitorType,
  OverviewGroup,
  OverviewSort,
  type PassiveType,
  UptimeRange,
} from '@/server/monitor-lists/schema';
import type { ConfigOf } from './definitions';

export {
  ChartRange,
  Check,
  IncidentSeverity,
  MOST_LISTED,
  MonitorChartInput,
  MonitorStatus,
  MonitorType,
  OverviewGroup,
  OverviewSort,
  shortReason,
  UptimeRange,
} from '@/server/monitor-lists/schema';
export { completeAddress, suggestName } from './address';
export { copyConfig } from './config/copy-config';
export { compileExpressions, expressionsOf } from './config/expressions';
export { checkFields } from './config/form-fields';
export { mapSecrets } from './config/map-secrets';
export { testsConnection } from './config/tests-connection';
export { type ConfigOf, definitionOf, definitions, isPassive } from './definitions';
export { DnsConfig, type DnsExpect, type RecordType } from './dns/definition';
export { parseResolver } from './dns/resolver-address';
export type { FormField } from './form-field';
export { GrpcConfig } from './grpc/definition';
export { HttpAssertion } from './http/assertion';
export { HttpConfig } from './http/definition';
export {
  BulkMonitorsInput,
  CreateMonitorInput,
  MOST_TAGS_EACH,
  PutMonitorInput,
  PutMonitorsInput,
  Region,
  TestMonitorInput,
  UpdateMonitorByScriptInput,
  UpdateMonitorInput,
} from './inputs';
export { type Extraction, MultistepConfig, type Step } from './multistep/definition';
export { beginsWithVariable } from './multistep/template';
export { PACKET_INTERVAL_MS, PingConfig } from './ping/definition';
export { TcpConfig } from './tcp/definition';
export { TlsConfig } from './tls/definition';
export { WebSocketConfig } from './websocket/definition';

/** A monitor's config with its type as the discriminator. */
export type TypedConfig = { [T in MonitorType]: { type: T; config: ConfigOf<T> } }[MonitorType];

/** Types that are checked over the network. */
export type CheckedType = Exclude<MonitorType, PassiveType>;
export type CheckedConfig = Extract<TypedConfig, { type: CheckedType }>;

/** A monitor as REST returns it: secrets masked, `isActive` 0 or 1. */
export const Monitor = z.object({
  id: z.string(),
  teamId: z.string(),
  type: MonitorType,
  name: z.string(),
  config: z.looseObject({}),
  intervalSeconds: z.int(),
  status: MonitorStatus,
  isActive: z.union([z.literal(0), z.literal(1)]),
  tags: z.array(z.string()),
  channelIds: z.array(z.string()).nullable(),
  /** The regions that check it; if empty, any worker does. */
  regions: z.array(z.string()),
  /** The severity of its downtime incidents. */
  severity: IncidentSeverity,
  externalId: z.string().nullable(),
  lastCheckedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Monitor = z.infer<typeof Monitor>;

/** The result of creating or updating one of many monitors. `updated` also if nothing changed. */
export const PutResult = z.object({
  externalId: z.string(),
  id: z.string().nullable(),
  outcome: z.enum(['created', 'updated', 'refused']),
  /** The reason for `refused`. */
  error: z
    .object({
      code: z.string(),
      message: z.string(),
      issues: z.array(z.object({ path: z.string(), message: z.string() })),
    })
    .nullable(),
});
export type PutResult = z.infer<typeof PutResult>;

/** Uptime of a range, weighted by time: ratio = up ÷ (up + down), null without data. */
export const Uptime = z.object({
  range: UptimeRange,
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  ratio: z.number().nullable(),
  upSeconds: z.number(),
  downSeconds: z.number(),
  maintenanceSeconds: z.number(),
  unknownSeconds: z.number(),
  /** Excluded time, whatever the status was. */
  excludedSeconds: z.number(),
});
export type Uptime = z.infer<typeof Uptime>;

const Milliseconds = z.number().nullable();
const LatencyFigures = z.object({ p50Ms: Milliseconds, p95Ms: Milliseconds, p99Ms: Milliseconds });

/**
 * The latency of a range that ends now, at most 5 % off; null without successful checks. `pointSeconds` is the length of the time that each point
 * covers.
 */
export const Latency = LatencyFigures.extend({
  range: UptimeRange,
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  pointSeconds: z.int(),
  points: z.array(LatencyFigures.extend({ at: z.iso.datetime() })),
});
export type Latency = z.infer<typeof Latency>;

/** Page and filters of a list of monitors. `q` searches names, addresses and tags. */
export const ListMonitorsInput = ExternalIdPage.extend({
  tag: z.string().trim().toLowerCase().max(50).optional(),
  type: MonitorType.optional(),
  status: MonitorStatus.optional(),
  q: z.string().trim().max(200).optional(),
  /** Monitors that selected this channel, without those that alert all channels. */
  channelId: z.string().max(64).optional(),
});
export type ListMonitorsInput = z.infer<typeof ListMonitorsInput>;

/** The filters of the dashboard's list. A monitor must match all of them. */
const overviewFilters = {
  status: MonitorStatus.optional(),
  search: z.string().trim().max(200).optional(),
  type: MonitorType.optional(),
  tag: z.string().trim().toLowerCase().max(50).optional(),
  /** Monitors that this region checks. */
  region: z.string().max(64).optional(),
  /** Monitors that selected this channel, without those that alert all channels. */
  channelId: z.string().max(64).optional(),
  /** Monitors that depend on this one. */
  parentId: z.string().max(64).optional(),
};

/** The query of the dashboard's list. */
export const OverviewInput = Page.extend({
  ...overviewFilters,
  /** `worst` by default. */
  sort: OverviewSort.optional(),
  cursor: z.string().max(400).optional(),
});
export type OverviewInput = z.infer<typeof OverviewInput>;

export const OverviewOrderInput = z.strictObject({
  ...overviewFilters,
  /** `worst` by default. */
  sort: OverviewSort.optional(),
  group: OverviewGroup.optional(),
});
export type OverviewOrderInput = z.infer<typeof OverviewOrderInput>;

/**
 * The IDs of the list in order, in groups if it is grouped: by first appearance, those without the grouped property last. A monitor with several tags
 * is in several groups.
 */
export const OverviewOrder = z.object({
  /** `key` is a tag, a type or the ID of a parent; null for monitors without one, or without grouping. */
  groups: z.array(z.object({ key: z.string().nullable(), name: z.string().nullable(), ids: z.array(z.string()) })),
  /** False if the list has more than `MOST_LISTED` rows. */
  isComplete: z.boolean(),
});
export type OverviewOrder = z.infer<typeof OverviewOrder>;

export const OverviewRowsInput = z.strictObject({ ids: z.array(z.string().max(64)).min(1).max(100) });
export type OverviewRowsInput = z.infer<typeof OverviewRowsInput>;

/** A search for monitors whose name, target or tags contain the text: the most severe first. */
export const FindMonitorsInput = z.strictObject({ search: z.string().trim().max(200) });
export type FindMonitorsInput = z.infer<typeof FindMonitorsInput>;

/** A monitor that a search found. */
export const FoundMonitor = z.object({
  id: z.string(),
  name: z.string(),
  type: MonitorType,
  target: z.string(),
  status: MonitorStatus,
  statusSince: z.iso.datetime(),
});
export type FoundMonitor = z.infer<typeof FoundMonitor>;

/** A tag in use, and the number of monitors that have it. */
export const TagCount = z.object({ tag: z.string(), monitors: z.int() });
export type TagCount = z.infer<typeof TagCount>;

/** A row of the dashboard's list. `strip` is the last 24 h in equal parts, each with its most severe status or null. */
export const OverviewRow = z.object({
  id: z.string(),
  name: z.string(),
  type: MonitorType,
  /** The address for display: no scheme, no secrets. */
  target: z.string(),
  tags: z.array(z.string()),
  parent: z.object({ id: z.string(), name: z.string() }).nullable(),
  status: MonitorStatus,
  statusSince: z.iso.datetime(),
  /** Whether it is flapping, so that its incident stays open until it is stable. */
  isFlapping: z.boolean(),
  /** When it is deleted, unless the deletion is undone. */
  deletesAt: z.iso.datetime().nullable(),
  intervalSeconds: z.int(),
  lastCheckedAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
  p95Ms: z.number().nullable(),
  uptime30d: z.number().nullable(),
  strip: z.array(MonitorStatus.nullable()),
});
export type OverviewRow = z.infer<typeof OverviewRow>;

export const MonitorOverview = z.object({
  rows: z.array(OverviewRow),
  nextCursor: z.string().nullable(),
  /** The number of the team's monitors in each status, regardless of the search. */
  counts: z.object({
    down: z.int(),
    degraded: z.int(),
    unknown: z.int(),
    maintenance: z.int(),
    paused: z.int(),
    pending: z.int(),
    up: z.int(),
  } satisfies Record<MonitorStatus, z.ZodInt>),
  total: z.int(),
  /** The number that match the filter. */
  matching: z.int(),
});
export type MonitorOverview = z.infer<typeof MonitorOverview>;

export const MonitorDetailInput = z.strictObject({ id: z.string(), range: ChartRange.default('3h') });
export type MonitorDetailInput = z.infer<typeof MonitorDetailInput>;

const Percentiles = z.object({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() });
const Phase = z.enum(['dns', 'connect', 'tls', 'firstByte', 'download']);

/** The verdict of one of a monitor's regions; `isWatched` is whether a worker of that region is running. */
export const RegionStatus = z.object({
  region: z.string(),
  status: MonitorStatus,
  statusSince: z.iso.datetime(),
  lastCheckedAt: z.iso.datetime().nullable(),
  latencyMs: z.number().nullable(),
  error: z.string().nullable(),
  isWatched: z.boolean(),
});
export type RegionStatus = z.infer<typeof RegionStatus>;

/** A region that can check monitors, and the number of its running workers; 0 if only monitors name it. */
export const KnownRegion = z.object({ name: z.string(), workers: z.int() });
export type KnownRegion = z.infer<typeof KnownRegion>;

/** Latency over time. Durations in milliseconds. */
export const MonitorChart = z.object({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  bucketSeconds: z.number(),
  /** The number of checks per part by the monitor's interval and regions; percentiles of one check are that check. */
  checksPerPart: z.number(),
  /** One point per part of the range; null without successful checks. */
  points: z.array(Percentiles.extend({ at: z.iso.datetime(), status: MonitorStatus.nullable() })),
  /** Percentiles of all successful checks in the range. */
  overall: Percentiles,
  outages: z.array(
    z.object({
      from: z.iso.datetime(),
      to: z.iso.datetime().nullable(),
      /** The incident of the outage; null if it was deleted, or is older than the latest 200. */
      incidentId: z.string().nullable(),
    }),
  ),
  /** Exclusions from its uptime. */
  exclusions: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime() })),
  /** Maintenance, which may have periods in the future. */
  maintenance: z.array(
    z.object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      /** The maintenance window; null if it was deleted. */
      windowId: z.string().nullable(),
    }),
  ),
});
export type MonitorChart = z.infer<typeof MonitorChart>;

/** The data of a monitor page. Durations in milliseconds. */
export const MonitorDetail = z.object({
  monitor: Monitor,
  statusSince: z.iso.datetime(),
  /** The end of the current maintenance; null outside of it. */
  maintenanceUntil: z.iso.datetime().nullable(),
  /** The windows of the current maintenance, the one that ends last first; empty outside of it. */
  maintenanceWindows: z.array(z.object({ id: z.string(), title: z.string(), endsAt: z.iso.datetime() })),
  isFlapping: z.boolean(),
  /** What a check does, with as much of its address as `monitor.config` shows to the caller: "GET https://northwind.example/". */
  request: z.string(),
  /** Whether its connection is tested halfway between two checks. */
  isConnectionTested: z.boolean(),
  /**
   * The number of failing checks until down, in each region, and for how long they must last. `noisyUntil` is set while that is twice as long,
   * because failing checks without a downtime were frequent: until then, if there are no more. Null for a heartbeat.
   */
  downAfter: z.object({ failures: z.int(), seconds: z.number(), noisyUntil: z.iso.datetime().nullable() }).nullable(),
  dueAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
  /** For a monitor with regions: the verdict of each. */
  regions: z.array(RegionStatus),
  openIncidentId: z.string().nullable(),
  /** For a heartbeat: the start of the current run, and the body of the last ping that had one. */
  heartbeat: z
    .object({
      runningSince: z.iso.datetime().nullable(),
      lastBody: z.object({ at: z.iso.datetime(), signal: z.string(), body: z.string() }).nullable(),
    })
    .nullable(),
  /** The certificate of the last check over TLS. */
  certificate: z
    .object({ subject: z.string(), issuer: z.string(), validFrom: z.iso.datetime(), validTo: z.iso.datetime() })
    .nullable(),
  uptimes: z.array(Uptime),
  /** The worst status of each of the last 90 days (UTC), today last; null without data. */
  days: z.array(MonitorStatus.nullable()),
  /** The uptime of the same days, with the downtime and degraded time of each. */
  dayUptimes: z.array(z.object({ ratio: z.number().nullable(), downSeconds: z.number(), degradedSeconds: z.number() })),
  chart: MonitorChart,
  /** For a monitor with steps: those of the last check. A step that did not run has no time. */
  steps: z
    .object({
      at: z.iso.datetime(),
      steps: z.array(
        z.object({
          name: z.string(),
          statusCode: z.number().nullable(),
          latencyMs: z.number().nullable(),
          isMet: z.boolean().nullable(),
        }),
      ),
    })
    .nullable(),
  /** The phases of the latest successful checks in the chart's range. */
  phases: z.array(z.object({ phase: Phase, p50: z.number().nullable(), p95: z.number().nullable() })),
});
export type MonitorDetail = z.infer<typeof MonitorDetail>;

/** The monitor that a monitor depends on. While that one is down, no notifications are sent for this one's incidents. */
export const MonitorParent = z.object({ parentId: z.string().nullable(), parentName: z.string().nullable() });
export type MonitorParent = z.infer<typeof MonitorParent>;

/** A monitor that depends on another. */
export const Dependency = z.object({ monitorId: z.string(), parentId: z.string() });
export type Dependency = z.infer<typeof Dependency>;

export const SetParentInput = z.strictObject({ id: z.string(), parentId: z.string().max(64).nullable() });
export type SetParentInput = z.infer<typeof SetParentInput>;
