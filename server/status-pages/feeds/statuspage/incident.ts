import type { PublicIncident, PublicStatusPage, PublicUpdate } from '@/server/status-pages/schema';
import { incidentUrl, lastNews } from '../story';
import { toComponents } from './component';

const statusOf = (isResolved: boolean) => (isResolved ? 'resolved' : 'investigating');

type Shown = ReturnType<typeof toComponents>;

/** Returns the statuses of the components before and after an update. */
function affectedOf(components: Shown, { impact }: PublicIncident, kind: PublicUpdate['kind']) {
  const affected = impact === 'down' ? 'major_outage' : 'degraded_performance';
  return components.map(({ id, name }) => ({
    code: id,
    name,
    old_status: kind === 'opened' ? 'operational' : affected,
    new_status: kind === 'resolved' ? 'operational' : affected,
  }));
}

/** Maps an incident to Statuspage form, latest update first. */
export function toIncident(page: PublicStatusPage, incident: PublicIncident) {
  const components = toComponents(page, incident.componentIds);
  return {
    id: incident.id,
    name: incident.title,
    status: statusOf(incident.status === 'resolved'),
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
      status: statusOf(kind === 'resolved'),
      body: message,
      incident_id: incident.id,
      created_at: at,
      updated_at: at,
      display_at: at,
      affected_components: affectedOf(components, incident, kind),
      deliver_notifications: true,
      custom_tweet: null,
      tweet_id: null,
    })),
    components,
  };
}
