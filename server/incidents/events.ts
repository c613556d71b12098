import { describeMonitors } from '@/server/monitors/output/describe-monitors';
import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import type { EventData } from '@/server/notifications/event';
import type { Tx } from '@/server/platform/db';
import { notify } from '@/server/platform/listen';
import { type IncidentRow, toIncident } from './to-incident';

export type IncidentEvent =
  | 'incident.opened'
  | 'incident.acknowledged'
  | 'incident.resolved'
  | 'monitor.certificate_expiring';

/**
 * Enqueues the notifications of incident changes: one delivery per channel of the monitor, and a live event for open
 * pages. Runs in the transaction of the change, so that both commit together.
 */
export async function enqueueNotifications(
  tx: Tx,
  event: IncidentEvent,
  incidents: IncidentRow[],
  about: (incident: IncidentRow) => Pick<EventData, 'resolution' | 'actor'> = () => ({}),
): Promise<void> {
  if (incidents.length === 0) return;
  const monitorIds = incidents.flatMap(({ monitorId }) => (monitorId === null ? [] : [monitorId]));
  const monitors = await describeMonitors(tx, monitorIds);
  await createDeliveries(
    tx,
    incidents.map((incident) => ({
      teamId: incident.teamId,
      ...(incident.monitorId !== null && { monitorId: incident.monitorId }),
      incidentId: incident.id,
      event,
      eventKey: `${event}:${incident.id}`,
      // People are notified of the incident that took its place.
      isForMirrors: about(incident).resolution === 'superseded',
      data: {
        incident: toIncident(incident),
        monitor: monitors.get(incident.monitorId ?? '') ?? null,
        ...about(incident),
      },
    })),
  );
  const byTeam = groupByTeam(incidents);
  for (const [team, rows] of byTeam) {
    await notify(tx, { team, kind: 'incident', ids: rows.map(({ id }) => id) });
    // The monitor's own page shows its open incident.
    const ids = rows.flatMap(({ monitorId }) => monitorId ?? []);
    if (ids.length > 0) await notify(tx, { team, kind: 'monitor', ids });
  }
}

function groupByTeam(incidents: IncidentRow[]): Map<string, IncidentRow[]> {
  const teams = new Map<string, IncidentRow[]>();
  for (const incident of incidents) teams.set(incident.teamId, [...(teams.get(incident.teamId) ?? []), incident]);
  return teams;
}
