/** Where the evidence of a team's incidents is stored. */
export const evidenceFolder = (teamId: string) => `evidence/${teamId}/`;

/** The key of an object. It does not change, so that a repeated upload replaces it. */
export function evidenceKey(teamId: string, { id, incidentId }: { id: string; incidentId: string }): string {
  return `${evidenceFolder(teamId)}${incidentId}/${id}`;
}
