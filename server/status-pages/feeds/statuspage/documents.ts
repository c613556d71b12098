import type { PublicStatusPage } from '@/server/status-pages/schema';
import { lastNews } from '../story';
import { toComponents } from './component';
import { toIncident } from './incident';
import { statusOfMaintenance, toMaintenance } from './maintenance';

/** The maximum number of incidents or maintenance windows in a list, as in Statuspage. */
const MOST = 50;

/**
 * The maximum number of times that a list of incidents or maintenance windows names components. Later entries of a long list leave them out;
 * otherwise, 50 windows of 500 monitors would take 30 MB.
 */
const MOST_NAMED = 10_000;
/** A window names its components itself and in each of its three steps. */
const NAMED_BY_WINDOW = 4;

/**
 * Limits the components of entries, so that the list names at most `MOST_NAMED`. Each entry keeps at least one.
 * @param timesNamed how often an entry names each of its components
 */
function limitNamed<Entry extends { componentIds: string[] }>(
  entries: Entry[],
  timesNamed: (entry: Entry) => number,
): Entry[] {
  let left = MOST_NAMED;
  return entries.map((entry) => {
    const times = timesNamed(entry);
    const componentIds = entry.componentIds.slice(0, Math.max(1, Math.floor(left / times)));
    left = Math.max(0, left - componentIds.length * times);
    return { ...entry, componentIds };
  });
}

type Indicator = 'none' | 'minor' | 'major' | 'critical' | 'maintenance';
type Document = (page: PublicStatusPage, now: Date) => Record<string, unknown>;

function statusOf({ overall, components }: PublicStatusPage): { indicator: Indicator; description: string } {
  switch (overall) {
    case 'operational':
      return { indicator: 'none', description: 'All Systems Operational' };
    case 'maintenance':
      return { indicator: 'maintenance', description: 'Service Under Maintenance' };
    case 'degraded':
      return { indicator: 'minor', description: 'Partially Degraded Service' };
    case 'down':
      return components.every(({ status }) => status === 'down')
        ? { indicator: 'critical', description: 'Major Service Outage' }
        : { indicator: 'major', description: 'Partial System Outage' };
    case 'unknown':
      return { indicator: 'minor', description: 'Status Unknown' };
    default:
      return overall satisfies never;
  }
}

function pageOf(page: PublicStatusPage) {
  const incidents = [...page.openIncidents, ...page.pastIncidents];
  const updates = [...incidents.map(lastNews), ...page.components.map(({ since }) => since)];
  const updatedAt = [page.updatedAt, ...updates].toSorted().at(-1) ?? page.updatedAt;
  return { id: page.id, name: page.title, url: page.url, time_zone: 'Etc/UTC', updated_at: updatedAt };
}

/** Returns the incidents of a page in Statuspage form, newest first, at most `MOST`. */
function incidentsOf(page: PublicStatusPage, which: 'all' | 'unresolved') {
  const incidents = which === 'all' ? [...page.openIncidents, ...page.pastIncidents] : page.openIncidents;
  const shown = incidents.toSorted((a, b) => b.startedAt.localeCompare(a.startedAt)).slice(0, MOST);
  return limitNamed(shown, ({ updates }) => 1 + updates.length).map((incident) => toIncident(page, incident));
}

/** Returns the maintenance windows of a page in these states, latest start first, at most `MOST`. */
function maintenancesOf(page: PublicStatusPage, now: Date, statuses: string[]) {
  const shown = [...page.maintenances, ...page.pastMaintenances]
    .filter((window) => statuses.includes(statusOfMaintenance(window, now)))
    .toSorted((a, b) => b.startsAt.localeCompare(a.startsAt))
    .slice(0, MOST);
  return limitNamed(shown, () => NAMED_BY_WINDOW).map((window) => toMaintenance(page, window, now));
}

const scheduled =
  (...statuses: string[]): Document =>
  (page, now) => ({ page: pageOf(page), scheduled_maintenances: maintenancesOf(page, now, statuses) });

/** The documents of the Statuspage API v2 by path, for tools that read status pages. */
export const documents: Record<string, Document> = {
  'summary.json': (page, now) => ({
    page: pageOf(page),
    components: toComponents(page),
    incidents: incidentsOf(page, 'unresolved'),
    scheduled_maintenances: maintenancesOf(page, now, ['scheduled', 'in_progress']),
    status: statusOf(page),
  }),
  'status.json': (page) => ({ page: pageOf(page), status: statusOf(page) }),
  'components.json': (page) => ({ page: pageOf(page), components: toComponents(page) }),
  'incidents.json': (page) => ({ page: pageOf(page), incidents: incidentsOf(page, 'all') }),
  'incidents/unresolved.json': (page) => ({ page: pageOf(page), incidents: incidentsOf(page, 'unresolved') }),
  'scheduled-maintenances.json': scheduled('scheduled', 'in_progress', 'completed'),
  'scheduled-maintenances/upcoming.json': scheduled('scheduled'),
  'scheduled-maintenances/active.json': scheduled('in_progress'),
};
