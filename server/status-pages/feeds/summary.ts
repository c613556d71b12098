import type { MonitorStatus } from '@/server/monitors/schema';
import type { Component, PublicIncident, PublicMaintenance, PublicStatusPage, PublicUpdate } from '../schema';
import { incidentUrl, lastNews } from './story';

type Indicator = 'none' | 'minor' | 'major' | 'critical' | 'maintenance';

/** A component's status in Statuspage's words; it says nothing where nothing is known. */
const componentStatus: Record<MonitorStatus, string> = {
  up: 'operational',
  degraded: 'degraded_performance',
  down: 'major_outage',
  maintenance: 'under_maintenance',
  unknown: '',
  paused: '',
  pending: '',
};

function indicatorOf({ overall, components }: PublicStatusPage): { indicator: Indicator; description: string } {
  switch (overall) {
    case 'operational':
      return { indicator: 'none', description: 'All Systems Operational' };
    case 'maintenance':
      return { indicator: 'maintenance', description: 'Service Under Maintenance' };
    case 'degraded':
      return { indicator: 'minor', description: 'Partially Degraded Service' };
    case 'down':
      return components.every(({ status }) => status === 'down')
        ? { indicator: 'critical', description: 'Major System Outage' }
        : { indicator: 'major', description: 'Partial System Outage' };
    case 'unknown':
      return { indicator: 'minor', description: 'Status Unknown' };
    default:
      return overall satisfies never;
  }
}

function toComponent(page: PublicStatusPage, component: Component, index: number) {
  return {
    id: component.id,
    name: component.name,
    status: componentStatus[component.status],
    created_at: page.createdAt,
    updated_at: component.since,
    position: index + 1,
    description: null,
    showcase: true,
    start_date: null,
    group_id: null,
    page_id: page.id,
    group: false,
    only_show_if_degraded: false,
  };
}

const updateStatus = (kind: PublicUpdate['kind']) => (kind === 'resolved' ? 'resolved' : 'investigating');

function toIncident(page: PublicStatusPage, incident: PublicIncident) {
  const index = page.components.findIndex(({ id }) => id === incident.componentId);
  const component = page.components[index];
  return {
    id: incident.id,
    name: incident.title,
    status: incident.status === 'resolved' ? 'resolved' : 'investigating',
    created_at: incident.startedAt,
    updated_at: lastNews(incident),
    monitoring_at: null,
    resolved_at: incident.resolvedAt,
    impact: incident.impact === 'down' ? 'major' : 'minor',
    shortlink: incidentUrl(page, incident),
    started_at: incident.startedAt,
    page_id: page.id,
    incident_updates: incident.updates.map(({ id, kind, message, at }) => ({
      id,
      status: updateStatus(kind),
      body: message,
      incident_id: incident.id,
      created_at: at,
      updated_at: at,
      display_at: at,
    })),
    components: component ? [toComponent(page, component, index)] : [],
  };
}

function toMaintenance(
  page: PublicStatusPage,
  { id, title, startsAt, endsAt, componentIds }: PublicMaintenance,
  now: Date,
) {
  const affected = page.components
    .map((component, index) => toComponent(page, component, index))
    .filter((component) => componentIds.includes(component.id));
  return {
    id,
    name: title,
    status: Date.parse(startsAt) <= now.getTime() ? 'in_progress' : 'scheduled',
    created_at: startsAt,
    updated_at: startsAt,
    monitoring_at: null,
    resolved_at: null,
    impact: 'maintenance',
    shortlink: page.url,
    started_at: startsAt,
    page_id: page.id,
    incident_updates: [],
    components: affected,
    scheduled_for: startsAt,
    scheduled_until: endsAt,
  };
}

/** The page in the shape of Statuspage's `api/v2/summary.json`, for tools that read status pages. */
export function summary(page: PublicStatusPage, now: Date) {
  return {
    page: { id: page.id, name: page.title, url: page.url, time_zone: 'Etc/UTC', updated_at: page.updatedAt },
    components: page.components.map((component, index) => toComponent(page, component, index)),
    incidents: page.openIncidents.map((incident) => toIncident(page, incident)),
    scheduled_maintenances: page.maintenances.map((window) => toMaintenance(page, window, now)),
    status: indicatorOf(page),
  };
}
