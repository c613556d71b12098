// The things the examples of the document are about.

export const monitorId = '01KANYZ0Y6Q8W2T4V9B3C5D7E1';
export const teamId = '01KANYYVT3M5N7P9R1S3T5V7W9';
const at = '2026-11-20T03:07:12.000Z';

export const page = { nextCursor: null };

export const user = { id: '01KANYYVS0A2B4C6D8E0F2G4H6', email: 'robin@example.com', name: 'Robin' };

export const tokens = {
  accessToken: 'eyJhbGciOiJIUzI1NiJ9.eyJzaWQiOiIwMUtBTiJ9.4Kc0nT8v',
  refreshToken: 'uwr_7hT0c2Vn5Yq8Zs1Kd4Lw6Mb9Pj3Rf',
};

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
  externalId: null,
  lastCheckedAt: at,
  createdAt: at,
  updatedAt: at,
};

export const newMonitor = {
  type: 'http',
  name: 'Shop',
  config: {
    url: 'https://shop.example/',
    assertions: [{ source: 'body', operator: 'contains', value: 'Basket' }],
  },
  intervalSeconds: 60,
  tags: ['shop'],
};

export const check = {
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

export const incident = {
  id: '01KANZ2H5B7C9D1E3F5G7H9J1K',
  monitorId,
  teamId,
  type: 'downtime',
  status: 'open',
  title: 'Shop is down',
  startedAt: at,
  resolvedAt: null,
  cause: 'Connection refused',
  createdAt: at,
};

export const update = {
  id: '01KANZ3N6P8Q0R2S4T6V8W0X2Y',
  kind: 'note',
  message: 'The database is being moved to another disk.',
  authorName: 'Robin',
  isPublic: true,
  at,
};

export const maintenanceWindow = {
  id: '01KANZ5A2B4C6D8E0F2G4H6J8K',
  teamId,
  title: 'New router',
  description: 'The office is offline for a few minutes.',
  startsAt: '2027-01-02T03:00:00.000Z',
  endsAt: '2027-01-02T05:00:00.000Z',
  monitorIds: [monitorId],
  createdAt: at,
  updatedAt: at,
};

export const channel = {
  id: '01KANZ6M3N5P7Q9R1S3T5V7W9X',
  teamId,
  type: 'webhook',
  name: 'On-call',
  config: { url: 'https://hooks.example.com/upwatch', secret: '••••Zy9Q' },
  createdAt: at,
  updatedAt: at,
};

export const delivery = {
  id: '01KANZ7C4D6E8F0G2H4J6K8M0N',
  channelId: channel.id,
  incidentId: incident.id,
  monitorName: 'Shop',
  event: 'incident.opened',
  status: 'delivered',
  webhookId: '01KANZ7C4D6E8F0G2H4J6K8M0N',
  attempts: [{ at, statusCode: 200, error: null, durationMs: 85 }],
  nextAttemptAt: null,
  createdAt: at,
};

export const apiKey = {
  id: '01KANZ8D5E7F9G1H3J5K7M9N1P',
  name: 'deploy script',
  scopes: ['read', 'write'],
  prefix: 'uw_4fT2',
  expiresAt: null,
  lastUsedAt: null,
  createdAt: at,
  createdBy: { id: user.id, name: user.name, email: user.email },
};
