import { describeMonitors } from '@/server/monitors/output/describe-monitors';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import type { EventData } from '@/server/notifications/event';
import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { startEscalations, stopEscalations } from './escalations/start-escalations';
import { type IncidentRow, monitorIdsOf, toIncident } from './to-incident';

export type IncidentEvent =
  | 'incident.opened'
  | 'incident.acknowledged'
  | 'incident.resolved'
  | 'incident.reopened'
  | 'monitor.certificate_expiring';

/**
 * Enqueues the notifications of incident changes: one delivery per channel of its monitors, and a live event for open
 * pages; starts or ends their escalations. Runs in the transaction of the change, so that all commit together.
 */
export async function enqueueNotifications(
  tx: Tx,
  event: IncidentEvent,
  incidents: IncidentRow[],
  about: (incident: IncidentRow) => Pick<EventData, 'resolution' | 'actor'> = () => ({}),
): Promise<void> {
  if (incidents.length === 0) return;
  const monitors = await describeMonitors(
    tx,
    incidents.flatMap((each) => monitorIdsOf(each).slice(0, 1)),
  );
  await createDeliveries(
    tx,
    incidents.flatMap((incident) => {
      const monitorIds = monitorIdsOf(incident);
      const monitor = monitors.get(monitorIds[0] ?? '') ?? null;
      const notified = {
        ...{ teamId: incident.teamId, incidentId: incident.id, event, eventKey: eventKeyOf(event, incident) },
        // People are notified of the incident that took its place.
        isForMirrors: about(incident).resolution === 'superseded',
        data: { incident: toIncident(incident), monitor, ...about(incident) },
      };
      // A channel of several of them gets one message, because the key is the same.
      return monitorIds.length === 0 ? [notified] : monitorIds.map((monitorId) => ({ ...notified, monitorId }));
    }),
  );
  await escalate(tx, event, incidents);
  const byTeam = groupByTeam(incidents);
  for (const [team, rows] of byTeam) {
    await notify(tx, { team, kind: 'incident', ids: rows.map(({ id }) => id) });
    // The page of each monitor shows its open incident.
    const ids = rows.flatMap(monitorIdsOf);
    if (ids.length > 0) await notify(tx, { team, kind: 'monitor', ids });
  }
}

async function escalate(tx: Tx, event: IncidentEvent, incidents: IncidentRow[]): Promise<void> {
  switch (event) {
    case 'incident.opened':
    case 'monitor.certificate_expiring':
    case 'incident.reopened':
      return startEscalations(tx, incidents);
    case 'incident.acknowledged':
    case 'incident.resolved':
      return stopEscalations(
        tx,
        incidents.map(({ id }) => id),
      );
    default:
      event satisfies never;
  }
}

/** The same event happens again after each reopening. */
function eventKeyOf(event: IncidentEvent, { id, reopenings }: IncidentRow): string {
  return reopenings === 0 ? `${event}:${id}` : `${event}:${id}:${reopenings}`;
}

function groupByTeam(incidents: IncidentRow[]): Map<string, IncidentRow[]> {
  const teams = new Map<string, IncidentRow[]>();
  for (const incident of incidents) teams.set(incident.teamId, [...(teams.get(incident.teamId) ?? []), incident]);
  return teams;
}
