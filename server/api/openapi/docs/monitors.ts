import type { OperationDoc } from '../types';
import { check, monitor, monitorId, newMonitor, page } from './examples';

const changes = { name: 'Shop EU', intervalSeconds: 30 };
const at = '2026-11-20T03:07:12.000Z';

const uptime = {
  range: '24h',
  from: '2026-11-19T03:07:12.000Z',
  to: at,
  ratio: 0.9993,
  upSeconds: 86_340,
  downSeconds: 60,
  maintenanceSeconds: 0,
  unknownSeconds: 0,
  excludedSeconds: 0,
};

const MASKS =
  'Credentials in its config are masked. Callers without the right to write (the role viewer, read-only keys) get `body`, `send`, headers and the query of a URL masked too, and no `pingUrl`.';

/** What stands at both doors, told once. */
function operations(noun: string): Record<'list' | 'get' | 'create' | 'update' | 'delete', OperationDoc> {
  return {
    list: {
      id: `list${noun}s`,
      description: 'Newest first. Filters can be combined.',
      answer: { monitors: [monitor], ...page },
    },
    get: { id: `get${noun}`, description: MASKS, answer: { monitor } },
    create: {
      id: `create${noun}`,
      description:
        'Its first check starts at once. `config` is of the form its `type` has. Without `intervalSeconds` it is checked every minute, or as often as the plan allows. `isActive: false` creates it paused. With `regions` it is checked from each of them, and its status is what most of those that answered say; see `GET /api/v1/regions`.',
      body: newMonitor,
      answer: { monitor: { ...monitor, status: 'pending', lastCheckedAt: null } },
    },
    update: {
      id: `update${noun}`,
      description:
        'Changes what is given, at least one field. `config` replaces the whole config; a secret given as its mask stays as it is, unless the monitor now connects to another server: then it is refused and has to be given again. `isActive: false` pauses it. A type does not change. What is already so stays as it is: a body that changes nothing leaves no trace.',
      body: changes,
      answer: { monitor: { ...monitor, ...changes } },
    },
    delete: {
      id: `delete${noun}`,
      description: 'Deletes it with its history. Its incidents stay; an open one is resolved.',
      answer: { ok: true },
    },
  };
}

const person = operations('DashboardMonitor');
const script = operations('Monitor');

export const monitorDocs: Record<string, OperationDoc> = {
  ...Object.fromEntries(Object.entries(person).map(([verb, doc]) => [`monitors.${verb}`, doc])),
  ...Object.fromEntries(Object.entries(script).map(([verb, doc]) => [`monitorsApi.${verb}`, doc])),
  'monitors.check': {
    id: 'checkMonitorNow',
    description:
      'The result counts like any other: it may open, confirm or resolve an incident. A monitor with regions is checked from them as well; what the one that answers here sees counts where it is one of them.',
    answer: { check },
  },
  'monitors.overview': {
    id: 'getOverview',
    description:
      'What the list of the dashboard shows: worst first, then by name. `search` looks in names, addresses and tags. `counts` and `total` are of the whole team, `matching` of what the filter leaves. `strip` is the last 24 hours in half hours, each with its worst status.',
    answer: {
      rows: [
        {
          id: monitorId,
          name: monitor.name,
          type: 'http',
          target: 'shop.example',
          tags: monitor.tags,
          status: 'up',
          statusSince: '2026-11-12T08:15:00.000Z',
          intervalSeconds: 60,
          lastCheckedAt: at,
          lastError: null,
          p95Ms: 180,
          isFlapping: false,
          uptime30d: 0.9993,
          strip: Array.from({ length: 48 }, () => 'up'),
        },
      ],
      ...page,
      counts: { down: 0, degraded: 0, unknown: 0, maintenance: 0, paused: 0, pending: 0, up: 1 },
      total: 1,
      matching: 1,
    },
  },
  'monitors.detail': {
    id: 'getMonitorDetail',
    description:
      'What the page of a monitor shows: its last error, its certificate, the next check, uptime of every range, the worst status of each of the last 90 days (UTC, today last) with the uptime of each, and percentiles of latency over the time before now. `regions` is what each of its regions says; `isWatched` is false where no worker runs there.',
    answer: {
      monitor,
      statusSince: '2026-11-12T08:15:00.000Z',
      dueAt: '2026-11-20T03:08:12.000Z',
      lastError: null,
      isFlapping: false,
      regions: [
        {
          region: 'eu-west',
          status: 'up',
          statusSince: '2026-11-12T08:15:00.000Z',
          lastCheckedAt: at,
          latencyMs: 143,
          error: null,
          isWatched: true,
        },
      ],
      openIncidentId: null,
      heartbeat: null,
      certificate: {
        subject: 'shop.example',
        issuer: 'Example CA',
        validFrom: '2026-10-01T00:00:00.000Z',
        validTo: '2026-12-30T00:00:00.000Z',
      },
      uptimes: [uptime],
      days: Array.from({ length: 90 }, () => 'up'),
      dayUptimes: Array.from({ length: 90 }, () => ({ ratio: 1, downSeconds: 0, degradedSeconds: 0 })),
      chart: {
        from: '2026-11-20T03:06:00.000Z',
        to: '2026-11-20T03:08:00.000Z',
        bucketSeconds: 60,
        checksPerPart: 2,
        points: [
          { at: '2026-11-20T03:06:00.000Z', status: 'up', p50: 140, p95: 176, p99: 190 },
          { at: '2026-11-20T03:07:00.000Z', status: 'up', p50: 143, p95: 180, p99: 201 },
        ],
        overall: { p50: 141, p95: 180, p99: 201 },
        outages: [],
        exclusions: [],
      },
      phases: [{ phase: 'connect', p50: 21, p95: 30 }],
    },
  },
  'monitors.regions': {
    id: 'listRegions',
    description:
      "Where workers run, as their `REGION` says, and how many. A region that a monitor names and no worker runs in is listed with none: it answers nothing, so it has no say in the monitor's status.",
    answer: { regions: [{ name: 'eu-west', workers: 2 }] },
  },
  'monitorsApi.put': {
    id: 'putMonitorByExternalId',
    description:
      'Makes the monitor of this externalId be as the body says: creates it (201), or updates it (200). Every field that is left out gets its default (`isActive` true), so that the same body always ends in the same monitor. A repetition changes nothing: no new check, no audit entry, the same `updatedAt`. Racing calls end in one monitor. For tools such as Terraform.',
    params: { externalId: 'shop-eu' },
    body: newMonitor,
    answer: { monitor: { ...monitor, externalId: 'shop-eu' } },
  },
  'monitorsApi.getByExternalId': {
    id: 'getMonitorByExternalId',
    description: 'By your own ID for the monitor.',
    params: { externalId: 'shop-eu' },
    answer: { monitor: { ...monitor, externalId: 'shop-eu' } },
  },
  'monitorsApi.deleteByExternalId': {
    id: 'deleteMonitorByExternalId',
    description: 'Deletes it with its history. Its incidents stay; an open one is resolved.',
    params: { externalId: 'shop-eu' },
    answer: { ok: true },
  },
  'monitorsApi.checks': {
    id: 'listMonitorChecks',
    description: 'Latest first, as far back as single results are kept.',
    answer: { checks: [{ ...check, monitorId }], ...page },
  },
  'monitorsApi.uptime': {
    id: 'getMonitorUptime',
    description:
      'Of a range that ends now, added up from the time spent in each status. Time that somebody excluded counts as neither up nor down.',
    answer: { uptime },
  },
  'monitorsApi.latency': {
    id: 'getMonitorLatency',
    description:
      'Percentiles of a range that ends now and of its parts: hours, at 30d four of them, at 90d days in UTC. The range starts with a whole part. They come from histograms that are kept when single results are gone, and are at most 5 % off.',
    answer: {
      latency: {
        range: '90d',
        from: '2026-08-22T00:00:00.000Z',
        to: at,
        p50Ms: 141,
        p95Ms: 180,
        p99Ms: 201,
        pointSeconds: 86_400,
        points: [{ at: '2026-08-22T00:00:00.000Z', p50Ms: 140, p95Ms: 176, p99Ms: 190 }],
      },
    },
  },
};
