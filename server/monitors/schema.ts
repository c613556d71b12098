import { z } from 'zod';
import { IdPage, Page } from '@/server/lists/schema';
import { type ConfigOf, monitorTypes, type PassiveType, type MonitorType as Type } from './types/definitions';

export { SpeedConfirm, TimeoutMs } from './config/confirm';
export { compileExpressions, expressionsOf } from './config/expressions';
export {
  CreateMonitorInput,
  PutMonitorInput,
  Region,
  UpdateMonitorByScriptInput,
  UpdateMonitorInput,
} from './inputs';
export { type ConfigOf, definitionOf, definitions, isPassive } from './types/definitions';
export { DnsConfig, DnsExpect, RecordType } from './types/dns/config';
export { parseResolver } from './types/dns/resolver-address';
export { GrpcConfig } from './types/grpc/config';
export { HttpAssertion, HttpConfig } from './types/http/config';
export { PACKET_INTERVAL_MS, PingConfig } from './types/ping/config';
export { TcpConfig } from './types/tcp/config';
export { TlsConfig } from './types/tls/config';
export { WebSocketConfig } from './types/websocket/config';

export const MonitorType = z.enum(monitorTypes);
export type MonitorType = Type;

/** A monitor's config with its type, so that the type tells the config. */
export type TypedConfig = { [T in MonitorType]: { type: T; config: ConfigOf<T> } }[MonitorType];

/** Types that are checked over the network. */
export type CheckedType = Exclude<MonitorType, PassiveType>;
export type CheckedConfig = Extract<TypedConfig, { type: CheckedType }>;

/** Worst first, the order of every list. */
export const MonitorStatus = z.enum(['down', 'degraded', 'unknown', 'maintenance', 'paused', 'pending', 'up']);
export type MonitorStatus = z.infer<typeof MonitorStatus>;

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
  /** Where it is checked from; empty: by any worker. */
  regions: z.array(z.string()),
  externalId: z.string().nullable(),
  lastCheckedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type Monitor = z.infer<typeof Monitor>;

/** One check as REST returns it; a phase that did not happen is null. Durations in milliseconds. */
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

/** Uptime of a range, time-weighted: ratio = up ÷ (up + down), null where nothing is known. */
export const Uptime = z.object({
  range: UptimeRange,
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  ratio: z.number().nullable(),
  upSeconds: z.number(),
  downSeconds: z.number(),
  maintenanceSeconds: z.number(),
  unknownSeconds: z.number(),
  /** What people took out of it, whatever the status was. */
  excludedSeconds: z.number(),
});
export type Uptime = z.infer<typeof Uptime>;

const Milliseconds = z.number().nullable();
const LatencyFigures = z.object({ p50Ms: Milliseconds, p95Ms: Milliseconds, p99Ms: Milliseconds });

/** Latency of a range that ends now, at most 5 % off; null where nothing answered. `pointSeconds` is a point's part of it. */
export const Latency = LatencyFigures.extend({
  range: UptimeRange,
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  pointSeconds: z.int(),
  points: z.array(LatencyFigures.extend({ at: z.iso.datetime() })),
});
export type Latency = z.infer<typeof Latency>;

/** What the list of monitors takes: a page, and which of them. `q` is looked for in names, addresses and tags. */
export const ListMonitorsInput = IdPage.extend({
  externalId: z.string().max(255).optional(),
  tag: z.string().trim().toLowerCase().max(50).optional(),
  type: MonitorType.optional(),
  status: MonitorStatus.optional(),
  q: z.string().trim().max(200).optional(),
});
export type ListMonitorsInput = z.infer<typeof ListMonitorsInput>;

/** What the dashboard's list asks for: worst first, or one status only, or what a search text finds. */
export const OverviewInput = Page.extend({
  status: MonitorStatus.optional(),
  search: z.string().trim().max(200).optional(),
  cursor: z.string().max(400).optional(),
});
export type OverviewInput = z.infer<typeof OverviewInput>;

/** A line of the dashboard's list. `strip` is the last 24 hours in equal parts, each with its worst status or null. */
export const OverviewRow = z.object({
  id: z.string(),
  name: z.string(),
  type: MonitorType,
  /** The address as a person reads it: no scheme, no secrets. */
  target: z.string(),
  tags: z.array(z.string()),
  status: MonitorStatus,
  statusSince: z.iso.datetime(),
  /** Whether it went up and down too often lately: its incident is held open until it is steady. */
  isFlapping: z.boolean(),
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
  /** How many monitors of the team are in each status, whatever is searched for. */
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
  /** How many of them the filter leaves. */
  matching: z.int(),
});
export type MonitorOverview = z.infer<typeof MonitorOverview>;

/** The spans of time the chart of a monitor shows; the shortest starts later where the monitor was made in it. */
export const ChartRange = z.enum(['3h', '24h', '7d', '30d', '90d']);
export type ChartRange = z.infer<typeof ChartRange>;

export const MonitorDetailInput = z.strictObject({ id: z.string(), range: ChartRange.default('3h') });
export type MonitorDetailInput = z.infer<typeof MonitorDetailInput>;

const Percentiles = z.object({ p50: z.number().nullable(), p95: z.number().nullable(), p99: z.number().nullable() });
const Phase = z.enum(['dns', 'connect', 'tls', 'firstByte', 'download']);

/** What one of a monitor's regions says of it; `isWatched` is whether a worker of that region runs. */
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

/** A region that checks can be made from, and how many workers run there; none where only monitors name it. */
export const KnownRegion = z.object({ name: z.string(), workers: z.int() });
export type KnownRegion = z.infer<typeof KnownRegion>;

/** All a monitor's page shows. Durations in milliseconds. */
export const MonitorDetail = z.object({
  monitor: Monitor,
  statusSince: z.iso.datetime(),
  isFlapping: z.boolean(),
  dueAt: z.iso.datetime().nullable(),
  lastError: z.string().nullable(),
  /** Of a monitor that names regions: what each of them says. */
  regions: z.array(RegionStatus),
  openIncidentId: z.string().nullable(),
  /** Of a heartbeat: since when a run is under way, and what came with the last ping that brought anything. */
  heartbeat: z
    .object({
      runningSince: z.iso.datetime().nullable(),
      lastBody: z.object({ at: z.iso.datetime(), signal: z.string(), body: z.string() }).nullable(),
    })
    .nullable(),
  /** What the last check over TLS was shown. */
  certificate: z
    .object({ subject: z.string(), issuer: z.string(), validFrom: z.iso.datetime(), validTo: z.iso.datetime() })
    .nullable(),
  uptimes: z.array(Uptime),
  /** The worst status of each of the last 90 days (UTC), today last; null where nothing is known. */
  days: z.array(MonitorStatus.nullable()),
  /** The uptime of the same days, and for how long the monitor was down and degraded in each. */
  dayUptimes: z.array(z.object({ ratio: z.number().nullable(), downSeconds: z.number(), degradedSeconds: z.number() })),
  chart: z.object({
    from: z.iso.datetime(),
    to: z.iso.datetime(),
    bucketSeconds: z.number(),
    /** How many checks a part of the range has by the monitor's interval and regions; percentiles of one check are that check. */
    checksPerPart: z.number(),
    /** One point per part of the range; null where nothing answered. */
    points: z.array(Percentiles.extend({ at: z.iso.datetime(), status: MonitorStatus.nullable() })),
    /** Of all answers in the range. */
    overall: Percentiles,
    outages: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime().nullable() })),
    /** What was taken out of its uptime. */
    exclusions: z.array(z.object({ from: z.iso.datetime(), to: z.iso.datetime() })),
  }),
  /** Where the time of the latest answers in the chart's range went. */
  phases: z.array(z.object({ phase: Phase, p50: z.number().nullable(), p95: z.number().nullable() })),
});
export type MonitorDetail = z.infer<typeof MonitorDetail>;
