/** The prefix of the objects with a team's evidence. */
export const evidenceFolder = (teamId: string) => `evidence/${teamId}/`;

/** The key of an object. It never changes, so that a repeated upload replaces the object. */
export function evidenceKey(teamId: string, { id, incidentId }: { id: string; incidentId: string }): string {
  return `${evidenceFolder(teamId)}${incidentId}/${id}`;
}
