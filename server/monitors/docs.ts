import { at, monitorId, page, teamId } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

export const monitor = {
  id: monitorId,
  teamId,
  type: 'http',
  name: 'Shop',
  config: { url: 'https://shop.example/', method: 'GET', expectedStatus: ['200-299'], timeoutMs: 10_000 },
  intervalSeconds: 60,
  status: 'up',
  isActive: 1,
  tags: ['shop'],
  channelIds: null,
  regions: [],
  severity: 'critical',
  externalId: null,
  lastCheckedAt: at,
  createdAt: at,
  updatedAt: at,
};

const newMonitor = {
  type: 'http',
  name: 'Shop',
  config: {
    url: 'https://shop.example/',
    assertions: [{ source: 'body', operator: 'contains', value: 'Basket' }],
  },
  intervalSeconds: 60,
  tags: ['shop'],
};

const check = {
  id: `${monitorId}-mhq2c0w0-default`,
  monitorId,
  region: 'default',
  at,
  status: 'up',
  latencyMs: 143,
  timings: { dnsMs: 12, connectMs: 21, tlsMs: 34, firstByteMs: 70, downloadMs: 6 },
  statusCode: 200,
  error: null,
};

const changes = { name: 'Shop EU', intervalSeconds: 30 };

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
  'Credentials in the config are masked. For callers without write access (viewers and read-only keys), `body`, `send`, headers and URL queries are masked too, and `pingUrl` is omitted.';

const updateDoc: Omit<OperationDoc, 'id'> = {
  description:
    'Updates the given fields; at least one is required. `config` replaces the complete config. A secret sent as its mask is kept, unless the monitor connects to a different server; then the secret is required again. `isActive: false` pauses the monitor, up to 60 times an hour; after that, the answer is 429. `type` cannot change. A request that changes nothing has no effect and creates no audit log entry.',
  body: changes,
  answer: { monitor: { ...monitor, ...changes } },
};
const deleteDoc = {
  description: 'Deletes a monitor and its history. Its incidents are kept; an open incident is resolved.',
  answer: { ok: true },
};

export const monitorDocs: Record<string, OperationDoc> = {
  'monitors.list': {
    id: 'listMonitors',
    alsoId: 'listDashboardMonitors',
    description: 'Returns monitors, newest first. Filters can be combined.',
    answer: { monitors: [monitor], ...page },
  },
  'monitors.get': { id: 'getMonitor', alsoId: 'getDashboardMonitor', description: MASKS, answer: { monitor } },
  'monitors.parent.list': {
    id: 'listMonitorParents',
    description: 'Returns each monitor that depends on another one, with that monitor: its parent.',
    answer: { dependencies: [{ monitorId: monitor.id, parentId: '01KANZ1R2S4T6V8W0X2Y4Z6A8B' }], ...page },
  },
  'monitors.parent.get': {
    id: 'getMonitorParent',
    description: 'Returns the monitor that this one depends on.',
    answer: { dependency: { parentId: '01KANZ1R2S4T6V8W0X2Y4Z6A8B', parentName: 'Router' } },
  },
  'monitors.parent.set': {
    id: 'setMonitorParent',
    description:
      'Sets the monitor that this one depends on; null for none. While the parent is down, incidents of this monitor are opened below its incident (`parentIncidentId`) and nobody is notified of them. If the monitor still fails after the parent has recovered, its channels are notified then. Certificates depend on nothing.',
    body: { parentId: '01KANZ1R2S4T6V8W0X2Y4Z6A8B' },
    answer: { dependency: { parentId: '01KANZ1R2S4T6V8W0X2Y4Z6A8B', parentName: 'Router' } },
  },
  'monitors.create': {
    id: 'createMonitor',
    alsoId: 'createDashboardMonitor',
    description:
      "Creates a monitor and starts its first check immediately. The form of `config` depends on `type`. The default of `intervalSeconds` is 60, or the plan's minimum if that is higher. `isActive: false` creates it paused. `severity` is that of its downtime incidents. With `regions`, it is checked from each region and its status is that of the majority; see `GET /api/v1/regions`.",
    body: newMonitor,
    answer: { monitor: { ...monitor, status: 'pending', lastCheckedAt: null } },
  },
  'monitors.update': { id: 'updateDashboardMonitor', ...updateDoc },
  'monitors.updateByScript': { id: 'updateMonitor', ...updateDoc },
  'monitors.delete': { id: 'deleteMonitor', alsoId: 'deleteDashboardMonitor', ...deleteDoc },
  'monitors.putMany': {
    id: 'putMonitors',
    description:
      'Creates or updates up to 100 monitors, each like `PUT /api/v1/monitors/by-external-id/{externalId}`. Each is decided by itself: `created`, `updated` (also if nothing changed), or `refused` with its reason. The results are in the order of the monitors. Counts against the rate limit as one request per ten monitors.',
    body: { monitors: [{ ...newMonitor, externalId: 'shop-eu' }] },
    answer: { results: [{ externalId: 'shop-eu', id: monitor.id, outcome: 'created', error: null }] },
  },
  'monitors.bulk': {
    id: 'bulkUpdateMonitors',
    description:
      'Changes up to 100 monitors. Each is decided by itself: `done`, `unchanged` if it was in the requested state before, or `refused` with its reason. `check` lets the workers check the monitors at once, unless they were checked within the last 10 seconds. `addTag` and `removeTag` take a `tag`, `setChannels` the `channelIds` (null for all channels). `delete` pauses the monitors and deletes them 20 seconds later; until then `restore` undoes it completely, and `deletesAt` of the overview says when. A monitor can be paused 60 times an hour. The results are in the order of `ids`. Counts against the rate limit as one request per ten monitors.',
    body: { action: 'pause', ids: [monitorId] },
    answer: { results: [{ id: monitorId, outcome: 'done', error: null }] },
  },
  'monitors.check': {
    id: 'checkMonitorNow',
    alsoId: 'checkDashboardMonitorNow',
    description:
      'Runs a check immediately and returns its result, which counts like any other: it can open, confirm or resolve an incident. A monitor with regions is also checked from its regions; the returned result counts if the answering region is one of them. Where all regions are private, the result is that of an agent, and without one the answer is UNAVAILABLE.',
    answer: { check },
  },
  'monitors.testSettings': {
    id: 'testMonitorSettings',
    description:
      'Runs a check immediately with a config that is not saved, and returns what it saw: phases, connection, request, response and each rule with its value, secrets masked. Stores nothing and notifies nobody. With `id`, a secret that is sent as its mask is the stored one of that monitor, if it goes to the same server. Heartbeats cannot be checked. A team can run a quarter as many of these per minute as the rate limit allows requests.',
    body: { type: 'http', config: { url: 'https://shop.example/health' } },
    answer: {
      attempt: {
        at,
        region: 'default',
        status: 'up',
        error: null,
        latencyMs: 143,
        timings: { dnsMs: 9, connectMs: 21, tlsMs: 30, firstByteMs: 80, downloadMs: 3 },
        statusCode: 200,
        addresses: ['192.0.2.10'],
        connections: [{ address: '192.0.2.10', port: 443, error: null }],
        certificate: null,
        exchanges: [
          {
            request: { line: 'GET /health HTTP/1.1', headers: [{ name: 'accept', value: '*/*' }] },
            response: { line: 'HTTP/1.1 200 OK', headers: [{ name: 'content-type', value: 'application/json' }] },
            body: { text: '{"status":"ok"}', notStored: null, bytes: 15, isTruncated: false },
          },
        ],
        rules: [{ rule: 'status 200-299', value: '200', isMet: true }],
      },
    },
  },
  'monitors.overview': {
    id: 'getOverview',
    description:
      "Returns the rows of the dashboard's list. Filters combine: a row matches all of them. `search` matches names, targets and tags. At most 10,000 monitors can be sorted by `p95` or `uptime`, whose order is up to a minute old. `counts` and `total` cover the whole team, `matching` the filtered list. `strip` holds the worst status of each half hour of the last 24 hours.",
    answer: {
      rows: [
        {
          id: monitorId,
          name: monitor.name,
          type: 'http',
          target: 'shop.example',
          tags: monitor.tags,
          parent: null,
          status: 'up',
          statusSince: '2026-11-12T08:15:00.000Z',
          intervalSeconds: 60,
          lastCheckedAt: at,
          lastError: null,
          p95Ms: 180,
          isFlapping: false,
          deletesAt: null,
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
      "Returns the data of a monitor's page: last error, certificate, next check, uptime by range, worst status and uptime of each of the last 90 days (UTC, today last), and latency percentiles. `regions` holds the status in each region; `isWatched` is false if no worker runs there. `downAfter` says how many checks must fail, and for how long, until the monitor is down; while `noisyUntil` is set, that is twice as long, because failing checks without a downtime were frequent.",
    answer: {
      monitor,
      statusSince: '2026-11-12T08:15:00.000Z',
      maintenanceUntil: null,
      maintenanceWindows: [],
      dueAt: '2026-11-20T03:08:12.000Z',
      lastError: null,
      isFlapping: false,
      request: 'GET https://shop.example/',
      isConnectionTested: true,
      downAfter: { failures: 3, seconds: 20, noisyUntil: null },
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
      steps: null,
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
        maintenance: [],
      },
      phases: [{ phase: 'connect', p50: 21, p95: 30 }],
    },
  },
  'monitors.tags': {
    id: 'listMonitorTags',
    description: 'Returns the 200 most used tags, each with its number of monitors.',
    answer: { tags: [{ tag: 'shop', monitors: 3 }] },
  },
  'monitors.regions': {
    id: 'listRegions',
    description:
      "Returns the regions in which workers run (their `REGION`) with the number of workers, and the team's private regions (`private/…`) with the number of agents. A region that a monitor uses but no worker runs in is listed with 0 and does not count towards the monitor's status.",
    answer: { regions: [{ name: 'eu-west', workers: 2 }] },
  },
  'monitors.put': {
    id: 'putMonitorByExternalId',
    description:
      'Creates (201) or updates (200) the monitor with this externalId. Omitted fields get their defaults (`isActive` true), so the operation is idempotent: repeating it triggers no check, creates no audit log entry and keeps `updatedAt`. Concurrent calls result in one monitor. Intended for tools such as Terraform.',
    params: { externalId: 'shop-eu' },
    body: newMonitor,
    answer: { monitor: { ...monitor, externalId: 'shop-eu' } },
  },
  'monitors.getByExternalId': {
    id: 'getMonitorByExternalId',
    description: 'Returns a monitor by your own ID for it.',
    params: { externalId: 'shop-eu' },
    answer: { monitor: { ...monitor, externalId: 'shop-eu' } },
  },
  'monitors.deleteByExternalId': {
    id: 'deleteMonitorByExternalId',
    params: { externalId: 'shop-eu' },
    ...deleteDoc,
  },
  'monitors.checks': {
    id: 'listMonitorChecks',
    description: 'Returns check results, newest first, within the retention of raw results.',
    answer: { checks: [{ ...check, monitorId }], ...page },
  },
  'monitors.uptime': {
    id: 'getMonitorUptime',
    description:
      'Returns the uptime over a range that ends now, computed from the time spent in each status. Excluded time counts as neither up nor down.',
    answer: { uptime },
  },
  'monitors.chart': {
    id: 'getMonitorChart',
    description:
      'Returns latency percentiles, the worst status of each part, outages with their incidents, exclusions, and maintenance with its windows in any span up to 366 days. The shorter the span, the shorter its parts: of up to a day they follow the raw results while these are kept, otherwise they are at least an hour. There are about 300 at most.',
    params: { since: '2026-11-20T03:00:00Z', until: '2026-11-20T03:05:00Z' },
    answer: {
      chart: {
        from: '2026-11-20T03:00:00.000Z',
        to: '2026-11-20T03:05:00.000Z',
        bucketSeconds: 300,
        checksPerPart: 5,
        points: [{ at: '2026-11-20T03:00:00.000Z', status: 'up', p50: 140, p95: 176, p99: 190 }],
        overall: { p50: 140, p95: 176, p99: 190 },
        outages: [],
        exclusions: [],
        maintenance: [],
      },
    },
  },
  'monitors.latency': {
    id: 'getMonitorLatency',
    description:
      'Returns latency percentiles over a range that ends now, and per bucket: 1 hour, for 30d 4 hours, for 90d 1 day (UTC). The range starts at a bucket boundary. Percentiles are computed from histograms, which outlive raw results, with an error of at most 5 %.',
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
