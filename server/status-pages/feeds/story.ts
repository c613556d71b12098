import type { PublicIncident, PublicStatusPage, PublicUpdate } from '../schema';
import { escapeXml } from './xml';

/** The maximum number of incidents in a feed. */
const MOST = 50;

/** The label of each kind of update. */
export const updateWords: Record<PublicUpdate['kind'], string> = {
  opened: 'Investigating',
  acknowledged: 'Acknowledged',
  resolved: 'Resolved',
  note: 'Update',
};

/** The latest of several times (ISO 8601 in UTC, which sorts as text). */
function latest(times: string[]): string {
  return times.toSorted().at(-1) ?? '';
}

/** The page's incidents for a feed, most recently updated first. */
export function feedIncidents({ openIncidents, pastIncidents }: PublicStatusPage): PublicIncident[] {
  return [...openIncidents, ...pastIncidents].sort((a, b) => lastNews(b).localeCompare(lastNews(a))).slice(0, MOST);
}

/** The time of an incident's latest update. */
export function lastNews({ updates, resolvedAt, startedAt }: PublicIncident): string {
  return latest([startedAt, resolvedAt ?? '', ...updates.map(({ at }) => at)]);
}

/** The URL of an incident on the page. */
export function incidentUrl(page: PublicStatusPage, incident: PublicIncident): string {
  return `${page.url}#incident-${incident.id}`;
}

/** An incident's updates as HTML, newest first. */
export function storyHtml({ component, updates }: PublicIncident): string {
  const lines = updates.map(
    ({ kind, message, at }) =>
      `<p><small>${at.slice(0, 16).replace('T', ' ')} UTC</small><br><strong>${updateWords[kind]}.</strong> ${escapeXml(message)}</p>`,
  );
  return `<p>Affects ${escapeXml(component)}.</p>${lines.join('')}`;
}

/** The time of the latest change in the feed. */
export function feedUpdated(page: PublicStatusPage): string {
  return latest([page.updatedAt, ...feedIncidents(page).map(lastNews)]);
}
