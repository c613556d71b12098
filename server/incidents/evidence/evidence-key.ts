/** Returns the key prefix of a team's evidence in the object storage. */
export const evidenceFolder = (teamId: string) => `evidence/${teamId}/`;

/** Returns the key of an evidence object. It never changes, so that a repeated upload replaces the object. */
export function evidenceKey(teamId: string, { id, incidentId }: { id: string; incidentId: string }): string {
  return `${evidenceFolder(teamId)}${incidentId}/${id}`;
}
