import type { IncidentDetail } from '@/server/incidents/schema';

/** When somebody said that they are on it, and who. */
export function acknowledgementOf({ updates }: IncidentDetail) {
  return updates.find(({ kind }) => kind === 'acknowledged');
}
