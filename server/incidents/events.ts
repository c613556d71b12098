import { createDeliveries } from '@/server/notifications/deliveries/create-deliveries';
import type { EventData } from '@/server/notifications/messages/event';
import { databaseNow } from '@/server/platform/database-now';
import type { Tx } from '@/server/platform/db';
import { enqueue } from '@/server/platform/jobs';
import { notify } from '@/server/platform/listen';
import { hasDependents } from './dependencies/dependency-queries';
import { SETTLE_AFTER_MS, settleJob } from './dependencies/settle-job';
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
 * Enqueues the notifications of incident changes (one delivery per channel of their monitors), starts or ends their escalations, and sends live
 * events to open pages. Incidents with a parent or a hold get live events only. Runs in the transaction of the change.
 */
export async function enqueueNotifications(
  tx: Tx,
  event: IncidentEvent,
  incidents: IncidentRow[],
  about: (incident: IncidentRow) => Pick<EventData, 'resolution' | 'actor'> = () => ({}),
): Promise<void> {
  const notifiable = incidents.filter(isNotified);
  if (notifiable.length > 0) await notifyChannels(tx, event, notifiable, about);
  if (event === 'incident.resolved') await queueDependents(tx, incidents);
  const byTeam = groupByTeam(incidents);
  for (const [team, rows] of byTeam) {
    await notify(tx, { team, kind: 'incident', ids: rows.map(({ id }) => id) });
    // The page of each monitor shows its open incident.
    const ids = [...new Set(rows.flatMap(monitorIdsOf))];
    if (ids.length > 0) await notify(tx, { team, kind: 'monitor', ids });
  }
  await notifyPages(tx, incidents);
}

/** Sends live events to open editors of the status pages whose components these incidents name. */
export async function notifyPages(tx: Tx, incidents: IncidentRow[]): Promise<void> {
  for (const [team, rows] of groupByTeam(incidents)) {
    const ids = [...new Set(rows.flatMap(componentsOf).map(({ statusPageId }) => statusPageId))];
    await notify(tx, { team, kind: 'status-page', ids });
  }
}

/** Returns whether channels are notified of an incident: not while it has a parent or is held. */
const isNotified = ({ parentIncidentId, heldUntil }: IncidentRow) => parentIncidentId === null && heldUntil === null;

/** Queues the job that settles dependent incidents, if any of the resolved incidents has some. */
async function queueDependents(tx: Tx, ended: IncidentRow[]): Promise<void> {
  const ids = ended.map(({ id }) => id);
  if (ids.length === 0 || !(await hasDependents(tx, ids))) return;
  await enqueue(tx, settleJob, {}, { runAt: new Date((await databaseNow(tx)).getTime() + SETTLE_AFTER_MS) });
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
    incidents.map((incident) => ({
      teamId: incident.teamId,
      monitorIds: monitorIdsOf(incident),
      incidentId: incident.id,
      event,
      eventKey: eventKeyOf(event, incident),
      // People are notified of the incident that replaces this one.
      isForMirrors: about(incident).resolution === 'superseded',
      data: { ...affectedBy(incident), ...about(incident) },
    })),
  );
  await escalate(tx, event, incidents);
}

/** Starts the escalations of opened and reopened incidents, and ends those of acknowledged and resolved ones. */
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

/** Returns the key that prevents a second notification of the same event. Contains the number of reopenings, because each may repeat the events. */
function eventKeyOf(event: IncidentEvent, { id, reopenings }: IncidentRow): string {
  return reopenings === 0 ? `${event}:${id}` : `${event}:${id}:${reopenings}`;
}

function groupByTeam(incidents: IncidentRow[]): Map<string, IncidentRow[]> {
  const teams = new Map<string, IncidentRow[]>();
  for (const incident of incidents) teams.set(incident.teamId, [...(teams.get(incident.teamId) ?? []), incident]);
  return teams;
}
