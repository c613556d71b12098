import { formatCount } from '@/app/_components/format';
import { incidentTitle, incidentWords } from '@/app/_components/incidents/incident-words';
import type { IncidentCounts, IncidentListRow } from '@/server/incidents/schema';

/**
 * The incidents that name a component before its deletion: "It is removed from 2 incidents, which are kept: “Orders are late” (open) and “Calls drop”
 * (resolved)."
 * @param incidents the first of these incidents
 */
export function deletionText(incidents: IncidentListRow[] | undefined, counts: IncidentCounts | undefined): string {
  if (!incidents || !counts) return 'Loading affected incidents…';
  const total = counts.open + counts.acknowledged + counts.resolved;
  if (total === 0) return 'No incidents are affected.';
  const names = incidents.map((incident) => {
    return `“${incidentTitle(incident, incident.monitorName)}” (${incidentWords[incident.status].toLowerCase()})`;
  });
  const more = total - names.length;
  const list = new Intl.ListFormat('en').format([...names, ...(more > 0 ? [`${formatCount(more)} more`] : [])]);
  const from = total === 1 ? 'an incident, which is kept' : `${formatCount(total)} incidents, which are kept`;
  return `It is removed from ${from}: ${list}.`;
}
