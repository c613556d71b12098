import type { PublicIncident, PublicMaintenance, PublicStatusPage, PublicUpdate } from '../schema';
import { maintenanceBodies, stepsOf } from './statuspage/maintenance';
import { escapeXml } from './xml';

/** The maximum number of entries in a feed. */
const MOST = 50;

/** The label of each kind of update. */
export const updateWords: Record<PublicUpdate['kind'], string> = {
  opened: 'Investigating',
  acknowledged: 'Identified',
  resolved: 'Resolved',
  note: 'Update',
  reopened: 'Reopened',
};

const stepWords = { scheduled: 'Scheduled', in_progress: 'In progress', completed: 'Completed' } as const;

const minute = (at: string) => `${at.slice(0, 16).replace('T', ' ')} UTC`;
const line = (word: string, html: string, at: string) =>
  `<p><small>${minute(at)}</small><br><strong>${word}.</strong> ${html}</p>`;

/** Returns the latest of several times (ISO 8601 in UTC, which sorts as text). */
function latest(times: string[]): string {
  return times.toSorted().at(-1) ?? '';
}

/** An incident or a maintenance window in a feed. */
export interface FeedEntry {
  id: string;
  title: string;
  url: string;
  startedAt: string;
  updatedAt: string;
  category: string;
  html: string;
}

function maintenanceEntry(page: PublicStatusPage, window: PublicMaintenance, now: Date): FeedEntry {
  const { id, title, startsAt, endsAt, componentIds } = window;
  const affected = new Set(componentIds);
  const names = page.components.filter((component) => affected.has(component.id)).map(({ name }) => name);
  const steps = stepsOf(window, now);
  const [last] = steps;
  const lines = steps.map(({ status, at }) => line(stepWords[status], maintenanceBodies[status], at));
  const span = `${minute(startsAt)} to ${minute(endsAt)}`;
  return {
    id,
    title,
    url: page.url,
    startedAt: steps.at(-1)?.at ?? startsAt,
    updatedAt: last?.at ?? startsAt,
    category: last?.status ?? 'scheduled',
    html: `<p>Maintenance from ${span}. Affects ${escapeXml(names.join(', '))}.</p>${lines.join('')}`,
  };
}

/**
 * Returns the page's incidents and maintenance windows for a feed, most recently updated first. The planning, start and end of a window count as
 * updates.
 */
export function feedEntries(page: PublicStatusPage, now: Date): FeedEntry[] {
  const incidents = [...page.openIncidents, ...page.pastIncidents].map((incident) => ({
    id: incident.id,
    title: incident.title,
    startedAt: incident.startedAt,
    category: incident.status,
    url: incidentUrl(page, incident),
    updatedAt: lastNews(incident),
    html: storyHtml(incident),
  }));
  const windows = [...page.maintenances, ...page.pastMaintenances].map((each) => maintenanceEntry(page, each, now));
  return [...incidents, ...windows].sort((a, b) => b.updatedAt.localeCompare(a.updatedAt)).slice(0, MOST);
}

/** Returns the time of an incident's latest update. */
export function lastNews({ updates, resolvedAt, startedAt }: PublicIncident): string {
  return latest([startedAt, resolvedAt ?? '', ...updates.map(({ at }) => at)]);
}

/** Returns the URL of an incident on the page. */
export function incidentUrl(page: PublicStatusPage, incident: PublicIncident): string {
  return `${page.url}#incident-${incident.id}`;
}

/** Returns an incident's updates as HTML, newest first. */
function storyHtml({ component, updates }: PublicIncident): string {
  const lines = updates.map(({ kind, message, at }) => line(updateWords[kind], escapeXml(message), at));
  return `<p>Affects ${escapeXml(component)}.</p>${lines.join('')}`;
}

/** Returns the time of the latest change in the feed. */
export function feedUpdated(page: PublicStatusPage, entries: FeedEntry[]): string {
  return latest([page.updatedAt, ...entries.map(({ updatedAt }) => updatedAt)]);
}
