import { at, monitorId, page, teamId, user } from '@/server/trpc/examples';
import type { OperationDoc } from '@/server/trpc/operation-doc';

const entry = {
  id: '01KAP1C2D4E6F8G0H2J4K6M8N0',
  at,
  teamId,
  actor: { kind: 'user', id: user.id, email: user.email, credential: 'session' },
  address: '203.0.113.7',
  requestId: '01KAP1C2B3D5E7F9G1H3J5K7M9',
  action: 'monitor.update',
  target: { type: 'monitor', id: monitorId, name: 'Shop' },
  reason: null,
  before: { intervalSeconds: 60 },
  after: { intervalSeconds: 30 },
};

export const auditDocs: Record<string, OperationDoc> = {
  'audit.list': {
    id: 'listAuditEntries',
    alsoId: 'listTeamAuditEntries',
    description:
      'Returns audit log entries, newest first, each with actor, credential and IP address. Secrets are masked or omitted.',
    answer: { entries: [entry], ...page },
  },
  'audit.listAll': {
    id: 'listInstanceAuditEntries',
    description: 'Returns audit log entries of all teams and of the instance, newest first.',
    answer: { entries: [entry], ...page },
  },
};
