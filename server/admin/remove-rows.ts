import { unlinkMonitor } from '@/server/incidents/unlink-monitor';
import { db } from '@/server/platform/db';
import { type Ordered, removeAll, removeInOrder, type Unordered } from './remove-slices';

/** What deletions leave, which nobody can reach: channels without a team, numbers of monitors, and teams. */
export interface Left {
  channelIds: string[];
  monitorNums: number[];
  teamIds: string[];
}

/** An incident may have many rows of its own. */
const INCIDENTS_AT_ONCE = 100;

const id = { id: true };

const deliveriesOf = (channelId: string): Ordered<string> => ({
  async next(eventKey, skip) {
    const [where, orderBy] = [{ channelId, eventKey }, { eventKey: 'asc' as const }];
    return (await db.delivery.findFirst({ where, orderBy, skip, select: { eventKey: true } }))?.eventKey;
  },
  remove: (eventKey) => db.delivery.deleteMany({ where: { channelId, eventKey } }),
});

/** Removes a channel with its deliveries. The channel itself goes last: until then, another run continues. */
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

/** Takes a deleted monitor from the incidents that are kept. */
const incidentsOf = (monitorId: string): Unordered => ({
  remove: (limit) => unlinkMonitor(db, monitorId, limit),
  findOne: () => db.incident.findFirst({ where: { monitorId }, select: id }),
});

/** Removes what a monitor leaves by its number, which is not used again. */
async function removeMonitor(monitorNum: number, signal: AbortSignal): Promise<boolean> {
  const where = { monitorNum };
  const deleted = await db.deletedMonitor.findUnique({ where: { num: monitorNum } });
  const monitorId = deleted?.monitorId;
  const isEmpty =
    (!monitorId || (await removeAll(signal, incidentsOf(monitorId)))) &&
    (await removeInOrder(signal, checksOf(monitorNum))) &&
    (await removeInOrder(signal, spansOf(monitorNum))) &&
    (await removeAll(signal, {
      remove: (limit) => db.maintenancePeriod.deleteMany({ where, limit }),
      findOne: () => db.maintenancePeriod.findFirst({ where, select: { windowId: true } }),
    }));
  if (!isEmpty) return false;
  // A monitor has so few of these that they need no slices: their retention is a number of days.
  await db.checkHour.deleteMany({ where });
  await db.checkDay.deleteMany({ where });
  await db.deletedMonitor.deleteMany({ where: { num: monitorNum } });
  return true;
}

/** Removes incidents with their rows. Dependent ones come before those that they are below, which are older. */
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

/**
 * Removes what deletions left, in slices. Each channel, monitor and team is forgotten after its last row, so that another run continues one that was
 * cut off; several runs at once do no harm.
 * @returns false if it was aborted before everything was removed
 */
export async function removeLeft({ channelIds, monitorNums, teamIds }: Left, signal: AbortSignal): Promise<boolean> {
  // Incidents after the deliveries that name them, which they would change; monitors after the incidents of their teams.
  for (const channelId of channelIds) if (!(await removeChannel(channelId, signal))) return false;
  for (const teamId of teamIds) if (!(await removeTeam(teamId, signal))) return false;
  for (const num of monitorNums) if (!(await removeMonitor(num, signal))) return false;
  return true;
}
