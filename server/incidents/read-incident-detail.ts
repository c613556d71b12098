import { shownSelect, shownStatus } from '@/server/monitor-types/output/shown-status';
import { channelStateOf, progressOf } from '@/server/notifications/delivery-progress';
import type { Db } from '@/server/platform/db';
import type { Escalation as EscalationRow, Prisma } from '@/server/platform/generated/prisma/client';
import { countAllIncidents, listIncidents } from './list-queries';
import { incidentNotFound } from './queries';
import { ALERT_EVENTS, type IncidentDetail, type IncidentEscalation, MOST_OLDER_MESSAGES } from './schema';
import { incidentInclude, ofExisting, toIncident, toUpdate } from './to-incident';

const monitorSelect = {
  id: true,
  name: true,
  type: true,
  states: { where: { region: '' }, select: { ...shownSelect, lastError: true } },
} as const;

function toEscalation(row: EscalationRow): IncidentEscalation {
  const { policyId, policyName, status, steps, step, nextStepAt, firstRound, round, lastRound } = row;
  const total = Array.isArray(steps) ? steps.length : 0;
  const isLast = step + 1 >= total && round >= lastRound;
  return {
    policyId,
    policyName,
    status,
    step: step + 1,
    steps: total,
    round: round - firstRound + 1,
    rounds: lastRound - firstRound + 1,
    nextStepAt: status === 'running' && !isLast ? nextStepAt.toISOString() : null,
  };
}

const deliveryInclude = {
  channel: {
    select: {
      name: true,
      type: true,
      retryAfter: true,
      owner: { select: { user: { select: { name: true, email: true } } } },
      failedAt: true,
      failingSince: true,
      deliveredAt: true,
    },
  },
  attempts: { orderBy: { at: 'desc' }, take: 1 },
  _count: { select: { attempts: true } },
} satisfies Prisma.DeliveryInclude;

type DeliveryRow = Prisma.DeliveryGetPayload<{ include: typeof deliveryInclude }>;

function toMessage(row: DeliveryRow, now: Date): IncidentDetail['messages'][number] {
  const { id, event, status, hold, channel, attempts, _count } = row;
  const { retryAfter } = channel;
  const owner = channel.owner?.user;
  return {
    id,
    event,
    status,
    hold,
    ...progressOf(row),
    // Only its owner sees the name of a contact method.
    channelName: owner ? (owner.name ?? owner.email) : channel.name,
    channelType: channel.type,
    channelState: channelStateOf(channel),
    channelPausedUntil: retryAfter && retryAfter > now ? retryAfter.toISOString() : null,
    attempts: _count.attempts,
    lastAttemptAt: attempts[0]?.at.toISOString() ?? null,
    lastError: attempts[0]?.error ?? null,
  };
}

/** The maximum number of messages on the page. An incident that is reopened again and again may have a million: one per channel each time. */
const MOST_SHOWN = 200;
const MOST_FIRST = 1_000;

/** Reads the latest messages, and counts the older ones. Leaves out those of deleted channels, which a job deletes. */
async function readMessages(db: Db, teamId: string, incidentId: string) {
  // By ID instead of a join, with which the database reads all messages of the incident.
  const channels = await db.channel.findMany({ where: { teamId }, select: { id: true } });
  const where = { incidentId, channelId: { in: channels.map(({ id }) => id) } };
  const deliveries = await db.delivery.findMany({
    where,
    orderBy: { id: 'desc' },
    take: MOST_SHOWN,
    include: deliveryInclude,
  });
  const isAll = deliveries.length < MOST_SHOWN;
  const count = isAll ? deliveries.length : await db.delivery.count({ where, take: MOST_SHOWN + MOST_OLDER_MESSAGES });
  return { deliveries, olderMessageCount: count - deliveries.length };
}

/** Returns when the first alert of an incident was delivered. Looks only at its first 1,000 messages; null if none of them was delivered. */
async function readFirstNotifiedAt(db: Db, incidentId: string): Promise<string | null> {
  const messages = await db.delivery.findMany({
    where: { incidentId },
    orderBy: { id: 'asc' },
    take: MOST_FIRST,
    select: { id: true, status: true, event: true },
  });
  const delivered = messages.filter(({ status, event }) => status === 'delivered' && ALERT_EVENTS.has(event));
  const first = await db.deliveryAttempt.findFirst({
    where: { error: null, deliveryId: { in: delivered.map(({ id }) => id) } },
    orderBy: { at: 'asc' },
    select: { at: true },
  });
  return first?.at.toISOString() ?? null;
}

/**
 * Returns the data of an incident page, with its timeline and notifications.
 * @param input.drafts whether the caller sees drafts of postmortems
 * @throws AppError NOT_FOUND
 */
export async function readIncidentDetail(
  db: Db,
  teamId: string,
  { id, drafts }: { id: string; drafts: boolean },
): Promise<IncidentDetail> {
  const row = await db.incident.findFirst({
    where: { id, teamId },
    include: {
      monitor: { select: monitorSelect },
      furtherMonitors: { ...ofExisting.monitors, select: { monitorId: true, monitor: { select: monitorSelect } } },
      components: incidentInclude.components,
      assignee: { select: { name: true, email: true } },
      postmortem: { select: { publishedAt: true } },
      updates: { orderBy: [{ at: 'desc' }, { id: 'desc' }], take: 200 },
      escalation: true,
    },
  });
  if (!row) throw incidentNotFound();
  const { deliveries, olderMessageCount } = await readMessages(db, teamId, id);
  const dependents = { parentIncidentId: id };
  const counts = await countAllIncidents(db, teamId, dependents);
  const { incidents } = await listIncidents(db, teamId, { ...dependents, order: 'status', limit: 20 });
  const now = new Date();
  const named = [...(row.monitor ? [row.monitor] : []), ...row.furtherMonitors.map(({ monitor }) => monitor)];
  const monitors = named.map(({ id: monitorId, name, type, states: [state] }) => {
    const status = state ? shownStatus(state, now).status : 'pending';
    return { id: monitorId, name, type, status, lastError: state?.lastError ?? null };
  });
  return {
    incident: toIncident(row),
    assigneeName: row.assignee && (row.assignee.name ?? row.assignee.email),
    isShared: row.shareHash !== null,
    postmortem: row.postmortem?.publishedAt ? 'published' : row.postmortem && drafts ? 'draft' : null,
    monitor: monitors[0] ?? null,
    monitors,
    escalation: row.escalation && toEscalation(row.escalation),
    updates: row.updates.toReversed().map(toUpdate),
    dependentIncidents: { counts, incidents },
    firstNotifiedAt: await readFirstNotifiedAt(db, id),
    olderMessageCount,
    messages: deliveries.toReversed().map((delivery) => toMessage(delivery, now)),
  };
}
