/** The incident types that checks open and resolve. */
export type CheckedIncident = 'downtime' | 'degraded' | 'certificate';

/** The subject of an incident. A monitor has at most one open incident per subject. */
export type Subject = 'status' | 'certificate';

/** A key that is unique among open incidents and prevents a second one. */
export function openKey(monitorId: string, subject: Subject): string {
  return `${monitorId}:${subject}`;
}
