import type { IncidentSeverity } from '@/server/monitor-types/schema';

export type ComponentStatus = 'up' | 'degraded' | 'down';

/** Returns the status that an unresolved incident of this severity gives a component without a monitor. */
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

/** Returns the status of a component without a monitor: the worst that unresolved incidents of these severities cause; up without any. */
export function componentStatus(severities: IncidentSeverity[]): ComponentStatus {
  const statuses = severities.map(statusBySeverity);
  return statuses.includes('down') ? 'down' : (statuses[0] ?? 'up');
}
