import { invalidCursor, parseCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { withAffected } from './affected-queries';
import {
  type CountIncidentsInput,
  type IncidentCounts,
  type IncidentListRow,
  IncidentStatus,
  type ListIncidentsInput,
} from './schema';
import { toIncident } from './to-incident';

type Where = Prisma.IncidentWhereInput;

const include = {
  monitor: { select: { name: true } },
  assignee: { select: { name: true, email: true } },
} satisfies Prisma.IncidentInclude;

type Row = Prisma.IncidentGetPayload<{ include: typeof include }>;

/** Matches incidents with any monitor that matches. */
const ofMonitors = (monitor: Prisma.MonitorWhereInput): Where => ({
  OR: [{ monitor }, { furtherMonitors: { some: { monitor } } }],
});

/** Matches incidents with any component that matches. */
const ofComponents = (component: Prisma.StatusPageComponentWhereInput): Where => ({
  components: { some: { component } },
});

/** The maximum number of incidents that are matched by key. */
const MOST_KEYS = 500;

/** The number of latest incidents whose texts are searched. */
const MOST_SEARCHED = 10_000;

/** Matches incidents with any monitor or component whose name matches. */
const ofNamed = (named: { name: Prisma.StringFilter }): Where[] => [ofMonitors(named), ofComponents(named)];

/** Matches a text anywhere, without wildcards. */
const contains = (text: string) => ({ contains: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const });

/** Matches the latest incidents whose title or cause contains a text, and all with a monitor or component whose name contains it. */
async function ofText(db: Db, teamId: string, q: string): Promise<Where> {
  // Raw: `contains` takes time proportional to the product of both lengths, 7 ms for one cause of 4,000 characters.
  const found = await db.$queryRaw<{ id: string }[]>`
    select id from (
      select id, title, cause, started_at from incidents where team_id = ${teamId}
      order by started_at desc, id desc limit ${MOST_SEARCHED}::int
    ) latest
    where strpos(lower(title), lower(${q})) > 0 or strpos(lower(cause), lower(${q})) > 0
    order by started_at desc, id desc limit ${MOST_KEYS}::int`;
  return { OR: [{ id: { in: found.map(({ id }) => id) } }, ...ofNamed({ name: contains(q) })] };
}

/**
 * Matches the incidents of one monitor by key in two conditions, because an index answers each. If it is a further monitor of more incidents than a
 * statement should name, the database looks them up for each incident of the team.
 */
async function ofMonitor(db: Db, monitorId: string): Promise<Where> {
  const further = await db.incidentMonitor.findMany({
    where: { monitorId },
    select: { incidentId: true },
    take: MOST_KEYS + 1,
  });
  if (further.length === 0) return { monitorId };
  if (further.length > MOST_KEYS) return { OR: [{ monitorId }, { furtherMonitors: { some: { monitorId } } }] };
  return { OR: [{ monitorId }, { id: { in: further.map(({ incidentId }) => incidentId) } }] };
}

/** The condition of the filters, except the status. */
async function matching(db: Db, teamId: string, input: CountIncidentsInput): Promise<Where> {
  const { monitorId, componentId, severity, type, assigneeId, parentIncidentId, tag, q, from, to } = input;
  return {
    teamId,
    ...(severity && { severity }),
    ...(type && { type }),
    ...(assigneeId && { assigneeId: assigneeId === 'none' ? null : assigneeId }),
    ...(parentIncidentId !== undefined && { parentIncidentId }),
    AND: [
      ...(monitorId === undefined ? [] : [await ofMonitor(db, monitorId)]),
      ...(componentId === undefined ? [] : [ofComponents({ id: componentId })]),
      ...(tag ? [ofMonitors({ tags: { has: tag } })] : []),
      ...(q ? [await ofText(db, teamId, q)] : []),
      // Matches incidents that were unresolved at some time in the range. Without a bound, the range is open-ended.
      ...(from === undefined ? [] : [{ OR: [{ resolvedAt: null }, { resolvedAt: { gt: new Date(from) } }] }]),
      ...(to === undefined ? [] : [{ startedAt: { lt: new Date(to) } }]),
    ],
  };
}

/** Matches the incidents after a given one in the order of the list. The first condition limits the index scan. */
function after({ at, id }: { at: Date; id: string }): Where {
  return { startedAt: { lte: at }, OR: [{ startedAt: { lt: at } }, { id: { lt: id } }] };
}

type Status = ListIncidentsInput['status'];

function statusesOf(status: Status): IncidentStatus[] {
  if (status === undefined) return IncidentStatus.options;
  return status === 'unresolved' ? ['open', 'acknowledged'] : [status];
}

/** Parses "<status>_<startedAt>_<id>", the cursor of a list by status. */
function parseStatusCursor(cursor: string): { status: IncidentStatus; at: Date; id: string } {
  const [status = '', ...rest] = cursor.split('_');
  const known = IncidentStatus.safeParse(status);
  if (!known.success) throw invalidCursor();
  return { status: known.data, ...parseCursor(rest.join('_')) };
}

const orderBy = [{ startedAt: 'desc' as const }, { id: 'desc' as const }];

/** Reads one status after the other, each in the order of an index, so that no page sorts the table. */
async function readByStatus(db: Db, where: Where, { status, cursor, limit }: ListIncidentsInput): Promise<Row[]> {
  const last = cursor === undefined ? null : parseStatusCursor(cursor);
  const statuses = statusesOf(status);
  const rows: Row[] = [];
  for (const each of statuses.slice(last ? Math.max(0, statuses.indexOf(last.status)) : 0)) {
    const rest = each === last?.status ? [after(last)] : [];
    const take = limit + 1 - rows.length;
    if (take > 0) {
      rows.push(
        ...(await db.incident.findMany({ where: { AND: [where, ...rest], status: each }, include, orderBy, take })),
      );
    }
  }
  return rows;
}

function readNewest(db: Db, where: Where, { status, cursor, limit }: ListIncidentsInput): Promise<Row[]> {
  const rest = cursor === undefined ? [] : [after(parseCursor(cursor))];
  const isOf = status === undefined ? [] : [{ status: { in: statusesOf(status) } }];
  return db.incident.findMany({ where: { AND: [where, ...isOf, ...rest] }, include, orderBy, take: limit + 1 });
}

/** Counts the dependent incidents of each. Reads an index, whereas a relation count would aggregate the whole table. */
async function countDependents(db: Db, ids: string[]): Promise<Map<string | null, number>> {
  const where = { parentIncidentId: { in: ids } };
  const rows = await db.incident.groupBy({ by: ['parentIncidentId'], where, _count: { _all: true } });
  return new Map(rows.map(({ parentIncidentId, _count }) => [parentIncidentId, _count._all]));
}

/** The names of the first further monitors of incidents whose own first monitor is deleted, by ID. */
async function nameFirstMonitors(
  db: Db,
  rows: { monitor: object | null; furtherMonitors: { monitorId: string }[] }[],
): Promise<Map<string | undefined, string>> {
  const ids = rows.flatMap(({ monitor, furtherMonitors: [first] }) => (!monitor && first ? [first.monitorId] : []));
  if (ids.length === 0) return new Map();
  const found = await db.monitor.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(found.map(({ id, name }) => [id, name]));
}

/** Returns a page of the team's incidents. The cursor names the last incident of the previous page. */
export async function listIncidents(
  db: Db,
  teamId: string,
  input: ListIncidentsInput,
): Promise<{ incidents: IncidentListRow[]; nextCursor: string | null }> {
  const { limit, order } = input;
  const where = await matching(db, teamId, input);
  const rows = await (order === 'status' ? readByStatus : readNewest)(db, where, input);
  const page = await withAffected(db, rows.slice(0, limit));
  const last = page.at(-1);
  const dependents = await countDependents(
    db,
    page.map(({ id }) => id),
  );
  const firstNames = await nameFirstMonitors(db, page);
  const cursor = last && `${last.startedAt.toISOString()}_${last.id}`;
  return {
    incidents: page.map((row) => ({
      ...toIncident(row),
      dependentIncidentCount: dependents.get(row.id) ?? 0,
      monitorName: row.monitor?.name ?? firstNames.get(row.furtherMonitors[0]?.monitorId) ?? null,
      assigneeName: row.assignee && (row.assignee.name ?? row.assignee.email),
    })),
    nextCursor: rows.length > limit && last ? (order === 'status' ? `${last.status}_${cursor}` : `${cursor}`) : null,
  };
}

/** Counts the incidents that match the filters, by status. */
export async function countIncidents(db: Db, teamId: string, input: CountIncidentsInput): Promise<IncidentCounts> {
  const where = await matching(db, teamId, input);
  const rows = await db.incident.groupBy({ by: ['status'], where, _count: { _all: true } });
  const counts = { open: 0, acknowledged: 0, resolved: 0 };
  for (const { status, _count } of rows) counts[status] = _count._all;
  return counts;
}

/** The median time in seconds from the start to the acknowledgment of incidents that started in a range; null if there are none. */
export async function medianAcknowledgment(db: Db, teamId: string, from: Date, to: Date): Promise<number | null> {
  // Raw: computes the median of a difference of two columns.
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    select percentile_cont(0.5) within group (order by extract(epoch from acknowledged_at - started_at))::float8 as seconds
    from incidents where team_id = ${teamId} and acknowledged_at is not null
      and started_at >= ${from}::timestamptz and started_at < ${to}::timestamptz`;
  return row?.seconds ?? null;
}
