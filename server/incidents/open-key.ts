/** Incidents that checks open and end. */
export type CheckedIncident = 'downtime' | 'degraded' | 'certificate';

/** What an incident of a monitor is about. Of each, a monitor has one open incident at most. */
export type Subject = 'status' | 'certificate';

/** What makes a second open incident impossible: unique while the incident is open. */
export function openKey(monitorId: string, subject: Subject): string {
  return `${monitorId}:${subject}`;
}
