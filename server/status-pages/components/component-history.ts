import type { History } from '@/server/history/read-histories';
import type { Span } from '@/server/history/uptime';
import type { IncidentSeverity } from '@/server/monitor-types/schema';
import { statusBySeverity } from './component-status';

/** An incident that names a component. `resolvedAt` is null while it is open. */
export interface NamingIncident {
  severity: IncidentSeverity;
  startedAt: Date;
  resolvedAt: Date | null;
}

/**
 * Returns the history of a component without a monitor as spans: at each time, the worst status that the open incidents naming it cause. Starts with
 * the creation of the component; the last span is the current one.
 */
export function componentSpans(createdAt: Date, incidents: NamingIncident[]): Span[] {
  const created = createdAt.getTime();
  // The number of incidents of each kind that begin or end at a time.
  const changes = new Map([[created, { down: 0, degraded: 0 }]]);
  const add = (at: Date, { severity }: NamingIncident, by: 1 | -1) => {
    const time = Math.max(at.getTime(), created);
    const change = changes.get(time) ?? { down: 0, degraded: 0 };
    change[statusBySeverity(severity)] += by;
    changes.set(time, change);
  };
  for (const incident of incidents) {
    add(incident.startedAt, incident, 1);
    if (incident.resolvedAt) add(incident.resolvedAt, incident, -1);
  }
  const open = { down: 0, degraded: 0 };
  const spans: Span[] = [];
  for (const [time, { down, degraded }] of [...changes].sort(([one], [other]) => one - other)) {
    open.down += down;
    open.degraded += degraded;
    const status = open.down > 0 ? 'down' : open.degraded > 0 ? 'degraded' : 'up';
    const [last, at] = [spans.at(-1), new Date(time)];
    if (status === last?.status) continue;
    if (last) last.endedAt = at;
    spans.push({ status, startedAt: at, endedAt: null });
  }
  return spans;
}

/** Converts spans to a history that does not depend on checks. */
export function toHistory(spans: Span[]): History {
  return { known: { spans, watchedUntil: null, exclusions: [], maintenance: [] }, days: new Map(), openDay: 0 };
}
