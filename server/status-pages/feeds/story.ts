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

/** The last of several moments (ISO 8601 in UTC, so that they sort as text). */
function latest(times: string[]): string {
  return times.toSorted().at(-1) ?? '';
}

/** The page's incidents for a feed, the one with the latest news first. */
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

/** When anything in the feed last changed. */
export function feedUpdated(page: PublicStatusPage): string {
  return latest([page.updatedAt, ...feedIncidents(page).map(lastNews)]);
}
