import type { IncidentSeverity } from '@/server/monitor-types/schema';

export type ComponentStatus = 'up' | 'degraded' | 'down';

/** The status of a component without a monitor that an open incident of this severity causes. */
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

/** The status of a component without a monitor, from the severities of the open incidents that name it. */
export function componentStatus(severities: IncidentSeverity[]): ComponentStatus {
  const statuses = severities.map(statusBySeverity);
  return statuses.includes('down') ? 'down' : (statuses[0] ?? 'up');
}
