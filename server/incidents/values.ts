// The values that pages show and compare. Without zod, because most page views validate nothing.

export const incidentTypes = ['downtime', 'degraded', 'certificate', 'manual'] as const;
export const incidentStatuses = ['open', 'acknowledged', 'resolved'] as const;
export const incidentOrders = ['newest', 'status', 'severity'] as const;

/** The maximum of `olderMessageCount`; older messages are not counted. */
export const MOST_OLDER_MESSAGES = 9_800;

/** The events that alert somebody to a problem, through a channel or an escalation. */
export const ALERT_EVENTS: ReadonlySet<string> = new Set([
  'incident.opened',
  'monitor.certificate_expiring',
  'incident.escalated',
]);
