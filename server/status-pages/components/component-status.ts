import type { IncidentSeverity } from '@/server/monitor-types/schema';

export type ComponentStatus = 'up' | 'degraded' | 'down';

/** The status that an open incident of this severity causes for a component without a monitor. */
export function statusBySeverity(severity: IncidentSeverity): Exclude<ComponentStatus, 'up'> {
  switch (severity) {
    case 'critical':
      return 'down';
    case 'warning':
    case 'minor':
      return 'degraded';
    default:
      return severity satisfies never;
  }
}

/** The status of a component without a monitor: the worst that the open incidents naming it cause. */
export function componentStatus(severities: IncidentSeverity[]): ComponentStatus {
  const statuses = severities.map(statusBySeverity);
  return statuses.includes('down') ? 'down' : (statuses[0] ?? 'up');
}
