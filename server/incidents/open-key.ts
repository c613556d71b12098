/** The incident types that checks open and resolve. */
export type CheckedIncident = 'downtime' | 'degraded' | 'certificate';

/** The subject of an incident. A monitor has at most one open incident per subject. */
export type Subject = 'status' | 'certificate';

/** Returns the unique key of an unresolved incident, which prevents a second one about the same subject. */
export function openKey(monitorId: string, subject: Subject): string {
  return `${monitorId}:${subject}`;
}
