import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import type { EventData } from '@/server/notifications/event';
import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import { notify } from '@/server/platform/listen';
import { hasBelow } from './dependencies/dependency-queries';
import { LOOK_AFTER_MS, settleJob } from './dependencies/settle-job';
import { describeAffected } from './describe-affected';
import { startEscalations, stopEscalations } from './escalations/start-escalations';
import { componentsOf, type IncidentRow, monitorIdsOf } from './to-incident';

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
  const told = incidents.filter(isTold);
  if (told.length > 0) await notifyChannels(tx, event, told, about);
  if (event === 'incident.resolved') await lookBelow(tx, incidents);
  const byTeam = groupByTeam(incidents);
  for (const [team, rows] of byTeam) {
    await notify(tx, { team, kind: 'incident', ids: rows.map(({ id }) => id) });
    // The page of each monitor shows its open incident.
    const ids = rows.flatMap(monitorIdsOf);
    if (ids.length > 0) await notify(tx, { team, kind: 'monitor', ids });
  }
  await notifyPages(tx, incidents);
}

/** The editors of status pages show what the open incidents make of their components. */
export async function notifyPages(tx: Tx, incidents: IncidentRow[]): Promise<void> {
  for (const [team, rows] of groupByTeam(incidents)) {
    const ids = [...new Set(rows.flatMap(componentsOf).map(({ statusPageId }) => statusPageId))];
    await notify(tx, { team, kind: 'status-page', ids });
  }
}

/** An incident below another one is not told, nor what becomes of it. */
const isTold = ({ parentIncidentId, heldUntil }: IncidentRow) => parentIncidentId === null && heldUntil === null;

/** Looks soon at the incidents below those that ended. */
async function lookBelow(tx: Tx, ended: IncidentRow[]): Promise<void> {
  const ids = ended.map(({ id }) => id);
  if (ids.length === 0 || !(await hasBelow(tx, ids))) return;
  await enqueue(tx, settleJob, {}, { runAt: new Date((await databaseNow(tx)).getTime() + LOOK_AFTER_MS) });
}

async function notifyChannels(
  tx: Tx,
  event: IncidentEvent,
  incidents: IncidentRow[],
  about: (incident: IncidentRow) => Pick<EventData, 'resolution' | 'actor'>,
): Promise<void> {
  const affectedBy = await describeAffected(tx, incidents);
  await createDeliveries(
    tx,
    incidents.flatMap((incident) => {
      const monitorIds = monitorIdsOf(incident);
      const notified = {
        teamId: incident.teamId,
        incidentId: incident.id,
        event,
        eventKey: eventKeyOf(event, incident),
        // People are notified of the incident that took its place.
        isForMirrors: about(incident).resolution === 'superseded',
        data: { ...affectedBy(incident), ...about(incident) },
      };
      // A channel of several of them gets one message, because the key is the same.
      return monitorIds.length === 0 ? [notified] : monitorIds.map((monitorId) => ({ ...notified, monitorId }));
    }),
  );
  await escalate(tx, event, incidents);
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
