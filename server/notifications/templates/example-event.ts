import type { EventPayload } from '../messages/event';
import type { TemplatedEvent } from '../schema';

const incident = {
  id: '00000000000000000000000000',
  severity: 'critical' as const,
  title: 'Checkout API is down',
  cause: 'Expected status 200-299, got 503',
  startedAt: '2026-11-20T03:07:12.000Z',
};
const monitor = {
  id: '00000000000000000000000001',
  name: 'Checkout API',
  type: 'http',
  status: 'down',
  tags: ['payments', 'production'],
};
const maintenance = {
  id: '00000000000000000000000002',
  title: 'Database upgrade of Checkout API',
  startsAt: '2026-11-21T01:00:00.000Z',
  endsAt: '2026-11-21T02:00:00.000Z',
  monitorNames: ['Checkout API', 'Orders'],
  monitorCount: 2,
};
const endedAt = '2026-11-20T03:21:40.000Z';

/** Returns an example event for the preview, for a team without an event of this type. */
export function exampleEvent(type: TemplatedEvent): EventPayload {
  const open = { ...incident, type: 'downtime', status: 'open', resolvedAt: null };
  const data = { incident: open, monitor };
  const timestamp = incident.startedAt;
  switch (type) {
    case 'incident.acknowledged':
      return { type, timestamp, data: { ...data, incident: { ...open, status: 'acknowledged' }, actor: 'Mara Klein' } };
    case 'incident.resolved': {
      const resolved = { ...open, status: 'resolved', resolvedAt: endedAt };
      return {
        type,
        timestamp: endedAt,
        data: { incident: resolved, monitor: { ...monitor, status: 'up' }, resolution: 'recovered' },
      };
    }
    case 'incident.escalated': {
      const escalation = { policy: 'Payments', step: 1, steps: 3, round: 1, person: 'Mara Klein' };
      return { type, timestamp, data: { ...data, escalation } };
    }
    case 'monitor.certificate_expiring': {
      const title = 'The certificate of Checkout API needs renewal';
      const cause = 'The certificate expires in 12 days';
      return { type, timestamp, data: { ...data, incident: { ...open, type: 'certificate', title, cause } } };
    }
    case 'maintenance.upcoming':
    case 'maintenance.started':
    case 'maintenance.ended':
    case 'maintenance.cancelled':
      return { type, timestamp, data: { incident: null, monitor: null, maintenance } };
    case 'incident.reopened':
      return { type, timestamp, data: { ...data, actor: 'Mara Klein' } };
    case 'incident.opened':
    case 'incident.reminder':
      return { type, timestamp, data };
    default:
      return type satisfies never;
  }
}
