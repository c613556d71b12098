import { unassignMember } from '@/server/incidents/unassign-member';
import { unlinkMonitor } from '@/server/incidents/unlink-monitor';
import { db } from '@/server/platform/db';
import type { DeletedKind } from '@/server/platform/generated/prisma/enums';
import { type Ordered, removeAll, removeInOrder, type Unordered } from './remove-slices';

/** A deleted component, member or session. The ID of a member is the user's. */
export interface LeftObject {
  kind: DeletedKind;
  id: string;
  /** Only for members; empty otherwise. */
  teamId: string;
}

/** The rows that deletions leave behind, which users cannot read: deliveries of channels, history of monitors and teams, references to objects. */
export interface Left {
  channelIds: string[];
  monitorNums: number[];
  teamIds: string[];
  objects: LeftObject[];
}

/** The number of incidents that are deleted together; small, because an incident can have many rows. */
const INCIDENTS_AT_ONCE = 100;

const id = { id: true };

const deliveriesOf = (channelId: string): Ordered<string> => ({
  async next(eventKey, skip) {
    const [where, orderBy] = [{ channelId, eventKey }, { eventKey: 'asc' as const }];
    return (await db.delivery.findFirst({ where, orderBy, skip, select: { eventKey: true } }))?.eventKey;
  },
  remove: (eventKey) => db.delivery.deleteMany({ where: { channelId, eventKey } }),
});

/** Removes a channel with its deliveries. Deletes the channel last, so that an interrupted removal is continued. */
async function removeChannel(channelId: string, signal: AbortSignal): Promise<boolean> {
  const where = { channelId };
  const isEmpty =
    (await removeInOrder(signal, deliveriesOf(channelId))) &&
    (await removeAll(signal, {
      remove: (limit) => db.deliveryExchange.deleteMany({ where, limit }),
      findOne: () => db.deliveryExchange.findFirst({ where, select: id }),
    })) &&
    (await removeAll(signal, {
      remove: (limit) => db.acknowledgeGroup.deleteMany({ where, limit }),
      findOne: () => db.acknowledgeGroup.findFirst({ where, select: id }),
    }));
  if (isEmpty) await db.channel.deleteMany({ where: { id: channelId, teamId: null } });
  return isEmpty;
}

const checksOf = (monitorNum: number): Ordered<Date> => ({
  async next(at, skip) {
    const [where, orderBy] = [{ monitorNum, at }, { at: 'asc' as const }];
    return (await db.check.findFirst({ where, orderBy, skip, select: { at: true } }))?.at;
  },
  remove: (at) => db.check.deleteMany({ where: { monitorNum, at } }),
});

const spansOf = (monitorNum: number): Ordered<Date> => ({
  async next(startedAt, skip) {
    const [where, orderBy] = [{ monitorNum, startedAt }, { startedAt: 'asc' as const }];
    return (await db.statusSpan.findFirst({ where, orderBy, skip, select: { startedAt: true } }))?.startedAt;
  },
  remove: (startedAt) => db.statusSpan.deleteMany({ where: { monitorNum, startedAt } }),
});

/** Unlinks a deleted monitor from incidents that are kept. */
const incidentsOf = (monitorId: string): Unordered => ({
  remove: (limit) => unlinkMonitor(db, monitorId, limit),
  findOne: () => db.incident.findFirst({ where: { monitorId }, select: id }),
});

/** The references of incidents to a deleted monitor that is not their first one. */
const furtherOf = (monitorId: string): Ordered<string> => ({
  async next(incidentId, skip) {
    const [where, orderBy] = [{ monitorId, incidentId }, { incidentId: 'asc' as const }];
    const select = { incidentId: true };
    return (await db.incidentMonitor.findFirst({ where, orderBy, skip, select }))?.incidentId;
  },
  remove: (incidentId) => db.incidentMonitor.deleteMany({ where: { monitorId, incidentId } }),
});

/** Removes a deleted monitor's history, which is stored under its number. Numbers are never reused. */
async function removeMonitor(monitorNum: number, signal: AbortSignal): Promise<boolean> {
  const where = { monitorNum };
  const deleted = await db.deletedMonitor.findUnique({ where: { num: monitorNum } });
  const monitorId = deleted?.monitorId;
  const isEmpty =
    (!monitorId || (await removeAll(signal, incidentsOf(monitorId)))) &&
    (await removeInOrder(signal, checksOf(monitorNum))) &&
    (await removeInOrder(signal, spansOf(monitorNum))) &&
    (!monitorId || (await removeInOrder(signal, furtherOf(monitorId)))) &&
    (await removeAll(signal, {
      remove: (limit) => db.maintenancePeriod.deleteMany({ where, limit }),
      findOne: () => db.maintenancePeriod.findFirst({ where, select: { windowId: true } }),
    }));
  if (!isEmpty) return false;
  // Not in slices: there is one row per hour and day of a limited retention.
  await db.checkHour.deleteMany({ where });
  await db.checkDay.deleteMany({ where });
  await db.deletedMonitor.deleteMany({ where: { num: monitorNum } });
  return true;
}

/** Removes incidents with their rows, newest first: dependent incidents are newer than their parents. */
async function removeIncidents(teamId: string, signal: AbortSignal): Promise<boolean> {
  for (let last: Date | undefined; ; ) {
    const rows = await db.incident.findMany({
      where: { teamId, ...(last && { startedAt: { lte: last } }) },
      orderBy: { startedAt: 'desc' },
      take: INCIDENTS_AT_ONCE,
      select: { id: true, startedAt: true },
    });
    if (rows.length === 0) return true;
    const ids = { in: rows.map((row) => row.id) };
    const where = { incidentId: ids };
    const isEmpty =
      (await removeAll(signal, {
        remove: (limit) => db.incidentUpdate.deleteMany({ where, limit }),
        findOne: () => db.incidentUpdate.findFirst({ where, select: id }),
      })) &&
      (await removeAll(signal, {
        remove: (limit) => db.checkAttempt.deleteMany({ where: { evidence: where }, limit }),
        findOne: () => db.checkAttempt.findFirst({ where: { evidence: where }, select: id }),
      }));
    if (!isEmpty) return false;
    await db.incident.deleteMany({ where: { id: ids } });
    last = rows.at(-1)?.startedAt;
  }
}

const auditOf = (teamId: string): Ordered<string> => ({
  async next(range, skip) {
    const [where, orderBy] = [{ teamId, id: range }, { id: 'asc' as const }];
    return (await db.auditEntry.findFirst({ where, orderBy, skip, select: id }))?.id;
  },
  remove: (range) => db.auditEntry.deleteMany({ where: { teamId, id: range } }),
});

async function removeTeam(teamId: string, signal: AbortSignal): Promise<boolean> {
  const isEmpty = (await removeIncidents(teamId, signal)) && (await removeInOrder(signal, auditOf(teamId)));
  if (isEmpty) await db.deletedTeam.deleteMany({ where: { id: teamId } });
  return isEmpty;
}

const incidentsNaming = (componentId: string): Ordered<string> => ({
  async next(incidentId, skip) {
    const [where, orderBy] = [{ componentId, incidentId }, { incidentId: 'asc' as const }];
    const select = { incidentId: true };
    return (await db.incidentComponent.findFirst({ where, orderBy, skip, select }))?.incidentId;
  },
  remove: (incidentId) => db.incidentComponent.deleteMany({ where: { componentId, incidentId } }),
});

const tokensOf = (sessionId: string): Unordered => ({
  remove: (limit) => db.refreshToken.deleteMany({ where: { sessionId }, limit }),
  findOne: () => db.refreshToken.findFirst({ where: { sessionId }, select: { tokenHash: true } }),
});

/** Removes a former member as assignee from the incidents of a team. Skips a member who has joined again. */
async function unassign(teamId: string, userId: string, signal: AbortSignal): Promise<boolean> {
  if (await db.membership.findUnique({ where: { teamId_userId: { teamId, userId } } })) return true;
  return removeAll(signal, {
    remove: (limit) => unassignMember(db, { teamId, userId }, limit),
    findOne: () => db.incident.findFirst({ where: { teamId, assigneeId: userId }, select: id }),
  });
}

/** Removes the references to a deleted object. */
async function removeNaming({ kind, id: of, teamId }: LeftObject, signal: AbortSignal): Promise<boolean> {
  switch (kind) {
    case 'component':
      return removeInOrder(signal, incidentsNaming(of));
    case 'session':
      return removeAll(signal, tokensOf(of));
    case 'member':
      return unassign(teamId, of, signal);
    default:
      return kind satisfies never;
  }
}

async function removeObject({ kind, id: of, teamId }: LeftObject, signal: AbortSignal): Promise<boolean> {
  const isEmpty = await removeNaming({ kind, id: of, teamId }, signal);
  if (isEmpty) await db.deletedObject.deleteMany({ where: { kind, id: of, teamId } });
  return isEmpty;
}

/**
 * Removes what deletions left behind, in slices. The row that records a deletion is deleted last, so that another run can continue an interrupted
 * one. Concurrent runs are safe.
 * @returns false if it was aborted before everything was removed
 */
export async function removeLeft(
  { channelIds, monitorNums, teamIds, objects }: Left,
  signal: AbortSignal,
): Promise<boolean> {
  // Deliveries are removed before incidents, because deleting an incident would update its deliveries. Members and monitors follow the incidents of
  // their teams.
  for (const channelId of channelIds) if (!(await removeChannel(channelId, signal))) return false;
  for (const teamId of teamIds) if (!(await removeTeam(teamId, signal))) return false;
  for (const object of objects) if (!(await removeObject(object, signal))) return false;
  for (const num of monitorNums) if (!(await removeMonitor(num, signal))) return false;
  return true;
}
