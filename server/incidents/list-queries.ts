import { invalidCursor, parseCursor } from '@/server/platform/cursor';
import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { withAffected } from './affected-queries';
import {
  type CountIncidentsInput,
  type IncidentCounts,
  type IncidentListRow,
  IncidentSeverity,
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

/** The maximum number of incidents that a condition names by ID. */
const MOST_KEYS = 500;

/** The maximum number of incidents that a page or a count scans for a filter. A team may have millions, and most filters have no index. */
export const MOST_EXAMINED = 10_000;

/** Matches incidents with any monitor or component whose name matches. */
const ofNamed = (named: { name: Prisma.StringFilter }): Where[] => [ofMonitors(named), ofComponents(named)];

/** Matches a text anywhere, without wildcards. */
const contains = (text: string) => ({ contains: text.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const });

interface Position {
  at: Date;
  id: string;
}

/** Which incidents are scanned, the latest first. */
interface Range {
  teamId: string;
  statuses: IncidentStatus[];
  /** Only incidents of this severity, for one status. */
  severity?: IncidentSeverity | undefined;
  /** Only incidents that started before this time. */
  to: string | undefined;
  /** The last incident of the previous page. */
  last: Position | null;
}

/**
 * Returns a condition that matches incidents whose title or cause contains a text, among the latest of a range, and all with a monitor or component
 * whose name contains it. Ignores case. Names at most `MOST_KEYS` incidents by title and cause.
 */
async function ofText(db: Db, q: string, { teamId, statuses, severity, to, last }: Range): Promise<Where> {
  const until = last?.at ?? to;
  const [status, ...more] = statuses;
  // An index returns the rows of one status in order.
  const isOf =
    more.length === 0
      ? Prisma.sql`status = ${status}::incident_status`
      : Prisma.sql`status = any(${statuses}::incident_status[])`;
  // Raw: `contains` takes time proportional to the product of both lengths, 7 ms for one cause of 4,000 characters.
  const found = await db.$queryRaw<{ id: string }[]>`
    select id from (
      select id, title, cause, started_at from incidents
      where team_id = ${teamId} and started_at <= coalesce(${until ?? null}::timestamptz, 'infinity')
        ${statuses.length < IncidentStatus.options.length ? Prisma.sql`and ${isOf}` : Prisma.empty}
        ${severity ? Prisma.sql`and severity = ${severity}::incident_severity` : Prisma.empty}
      order by started_at desc, id desc limit ${MOST_EXAMINED}::int
    ) latest
    where strpos(lower(title), lower(${q})) > 0 or strpos(lower(cause), lower(${q})) > 0
    order by started_at desc, id desc limit ${MOST_KEYS}::int`;
  return { OR: [{ id: { in: found.map(({ id }) => id) } }, ...ofNamed({ name: contains(q) })] };
}

/**
 * Returns a condition that matches the incidents of one monitor. Names incidents with it as a further monitor by ID, because an index answers that;
 * if there are more than `MOST_KEYS`, the database looks the monitor up for each incident of the team.
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

/** Returns whether no index finds the incidents that match the filters, so that the number of scanned incidents must be limited. */
function looksThrough({ monitorId, parentIncidentId, assigneeId, to: _to, ...others }: CountIncidentsInput): boolean {
  const indexed = [monitorId, parentIncidentId, assigneeId].filter((each) => each !== undefined);
  const isMore = Object.values(others).some((each) => each !== undefined && each !== '');
  return isMore || indexed.length > 1 || assigneeId === 'none';
}

/** Returns the condition of the filters. `range` limits the search for a text. */
async function matching(db: Db, input: CountIncidentsInput, range: Range): Promise<Where> {
  const { monitorId, componentId, severity, type, assigneeId, parentIncidentId, tag, postmortem, q, from } = input;
  return {
    ...(severity && { severity }),
    ...(type && { type }),
    ...(assigneeId && { assigneeId: assigneeId === 'none' ? null : assigneeId }),
    ...(parentIncidentId !== undefined && { parentIncidentId }),
    ...(postmortem && { postmortem: { publishedAt: { not: null } } }),
    AND: [
      ...(monitorId === undefined ? [] : [await ofMonitor(db, monitorId)]),
      ...(componentId === undefined ? [] : [ofComponents({ id: componentId })]),
      ...(tag ? [ofMonitors({ tags: { has: tag } })] : []),
      ...(q ? [await ofText(db, q, range)] : []),
      // Matches incidents that were unresolved at some time in the range. Without a bound, the range is open-ended.
      ...(from === undefined ? [] : [{ OR: [{ resolvedAt: null }, { resolvedAt: { gt: new Date(from) } }] }]),
    ],
  };
}

/** Returns the condition that matches the incidents of a range. */
function within({ teamId, statuses, severity, to, last }: Range): Where {
  const only = statuses.length === 1 ? statuses[0] : undefined;
  return {
    teamId,
    ...(statuses.length < IncidentStatus.options.length && { status: only ?? { in: statuses } }),
    ...(severity && { severity }),
    AND: [...(to === undefined ? [] : [{ startedAt: { lt: new Date(to) } }]), ...(last ? [after(last)] : [])],
  };
}

/** Matches the incidents after a given one in the order of the list. The first condition limits the index scan. */
function after({ at, id }: Position): Where {
  return { startedAt: { lte: at }, OR: [{ startedAt: { lt: at } }, { id: { lt: id } }] };
}

type Status = ListIncidentsInput['status'];

function statusesOf(status: Status): IncidentStatus[] {
  if (status === undefined) return IncidentStatus.options;
  return status === 'unresolved' ? ['open', 'acknowledged'] : [status];
}

/** A part of an ordered list, which an index returns newest first. */
interface Group {
  status: IncidentStatus;
  severity?: IncidentSeverity | undefined;
}

const bySeverity = (statuses: IncidentStatus[]): Group[] =>
  IncidentSeverity.options.flatMap((severity) => statuses.map((status) => ({ status, severity })));

/** Returns the groups of a list in its order. */
function groupsOf({ order, status, severity }: ListIncidentsInput): Group[] {
  const statuses = statusesOf(status);
  if (order === 'status') return statuses.map((each) => ({ status: each }));
  const unresolved = statuses.filter((each) => each !== 'resolved');
  const resolved = statuses.filter((each) => each === 'resolved');
  const groups = [...bySeverity(unresolved), ...bySeverity(resolved)];
  return severity ? groups.filter((each) => each.severity === severity) : groups;
}

/** Returns the start of a cursor: "open_" in a list by status, "open_critical_" by severity, and nothing for the newest. */
function prefixOf({ status, severity }: Partial<Group>, order: ListIncidentsInput['order']): string {
  if (order === 'newest') return '';
  return order === 'status' ? `${status}_` : `${status}_${severity}_`;
}

/** Parses the cursor of a list in groups: the start of the group's, then "<startedAt>_<id>". */
function parseGroupCursor(
  cursor: string,
  groups: Group[],
  order: ListIncidentsInput['order'],
): Position & { index: number } {
  const index = groups.findIndex((group) => cursor.startsWith(prefixOf(group, order)));
  const group = groups[index];
  if (!group) throw invalidCursor();
  return { index, ...parseCursor(cursor.slice(prefixOf(group, order).length)) };
}

const orderBy = [{ startedAt: 'desc' as const }, { id: 'desc' as const }];

/** Returns the last of the `MOST_EXAMINED` incidents that are scanned for a filter; null if there are fewer. */
async function lastExamined(db: Db, where: Where): Promise<Position | null> {
  const last = await db.incident.findFirst({
    where,
    orderBy,
    skip: MOST_EXAMINED - 1,
    select: { startedAt: true, id: true },
  });
  return last && { at: last.startedAt, id: last.id };
}

/** Matches the incidents up to a given one in the order of the list. */
function upTo({ at, id }: Position): Where {
  return { startedAt: { gte: at }, OR: [{ startedAt: { gt: at } }, { id: { gte: id } }] };
}

/** The rows of a page. `end` is the last scanned incident if the page is short because it reached `MOST_EXAMINED`; null otherwise. */
interface PageRows {
  rows: Row[];
  end: (Position & Partial<Group>) | null;
}

/** Reads the first matching rows of a range, in the order of an index. */
async function readRows(db: Db, input: CountIncidentsInput, range: Range, take: number): Promise<PageRows> {
  const examined = within(range);
  const end = looksThrough(input) ? await lastExamined(db, examined) : null;
  const where = { AND: [await matching(db, input, range), examined, ...(end ? [upTo(end)] : [])] };
  const rows = await db.incident.findMany({ where, include, orderBy, take });
  return { rows, end: rows.length < take ? end : null };
}

/** Reads a page of a list in groups: one group after the other, each in the order of an index, so that no page sorts the table. */
async function readByGroup(db: Db, teamId: string, input: ListIncidentsInput): Promise<PageRows> {
  const { status: _status, cursor, limit, order, ...filters } = input;
  const groups = groupsOf(input);
  const last = cursor === undefined ? null : parseGroupCursor(cursor, groups, order);
  // The groups have the severity, so it needs no other filter.
  const { severity, ...others } = filters;
  const conditions = order === 'severity' ? others : { ...others, severity };
  const rows: Row[] = [];
  for (const [index, group] of groups.entries()) {
    if (last && index < last.index) continue;
    const { status, ...rest } = group;
    const range = { teamId, statuses: [status], ...rest, to: filters.to, last: index === last?.index ? last : null };
    const found = await readRows(db, conditions, range, limit + 1 - rows.length);
    rows.push(...found.rows);
    if (found.end) return { rows, end: { ...found.end, ...group } };
    if (rows.length > limit) break;
  }
  return { rows, end: null };
}

function readNewest(db: Db, teamId: string, input: ListIncidentsInput): Promise<PageRows> {
  const { status, cursor, limit, order: _order, ...filters } = input;
  const last = cursor === undefined ? null : parseCursor(cursor);
  return readRows(db, filters, { teamId, statuses: statusesOf(status), to: filters.to, last }, limit + 1);
}

/**
 * Counts the dependent incidents of each incident; those without any are missing. Reads an index; a relation count would aggregate the whole table.
 */
async function countDependents(db: Db, ids: string[]): Promise<Map<string | null, number>> {
  const where = { parentIncidentId: { in: ids } };
  const rows = await db.incident.groupBy({ by: ['parentIncidentId'], where, _count: { _all: true } });
  return new Map(rows.map(({ parentIncidentId, _count }) => [parentIncidentId, _count._all]));
}

/** Reads the names of the monitors that are now the first of their incidents because the original first monitor was deleted. */
async function nameFirstMonitors(
  db: Db,
  rows: { monitor: object | null; furtherMonitors: { monitorId: string }[] }[],
): Promise<Map<string | undefined, string>> {
  const ids = rows.flatMap(({ monitor, furtherMonitors: [first] }) => (!monitor && first ? [first.monitorId] : []));
  if (ids.length === 0) return new Map();
  const found = await db.monitor.findMany({ where: { id: { in: ids } }, select: { id: true, name: true } });
  return new Map(found.map(({ id, name }) => [id, name]));
}

/**
 * Returns a page of the team's incidents. With filters, a page may be short or empty, because it scans at most `MOST_EXAMINED` incidents; the next
 * page continues after the last scanned one. `nextCursor` is null at the end.
 * @throws AppError VALIDATION_ERROR (cursor)
 */
export async function listIncidents(
  db: Db,
  teamId: string,
  input: ListIncidentsInput,
): Promise<{ incidents: IncidentListRow[]; nextCursor: string | null }> {
  const { limit, order } = input;
  const { rows, end } = await (order === 'newest' ? readNewest : readByGroup)(db, teamId, input);
  const page = await withAffected(db, rows.slice(0, limit));
  const last = page.at(-1);
  const next = rows.length > limit && last ? { ...last, at: last.startedAt } : end;
  const dependents = await countDependents(
    db,
    page.map(({ id }) => id),
  );
  const firstNames = await nameFirstMonitors(db, page);
  return {
    incidents: page.map((row) => ({
      ...toIncident(row),
      dependentIncidentCount: dependents.get(row.id) ?? 0,
      monitorName: row.monitor?.name ?? firstNames.get(row.furtherMonitors[0]?.monitorId) ?? null,
      assigneeName: row.assignee && (row.assignee.name ?? row.assignee.email),
    })),
    nextCursor: next && `${prefixOf(next, order)}${next.at.toISOString()}_${next.id}`,
  };
}

/** Counts all incidents that match the filters, by status. Unlike `countIncidents`, scans any number of incidents. */
export async function countAllIncidents(db: Db, teamId: string, input: CountIncidentsInput): Promise<IncidentCounts> {
  const range = { teamId, statuses: IncidentStatus.options, to: input.to, last: null };
  const where = { AND: [await matching(db, input, range), within(range)] };
  const rows = await db.incident.groupBy({ by: ['status'], where, _count: { _all: true } });
  const counts = { open: 0, acknowledged: 0, resolved: 0 };
  for (const { status, _count } of rows) counts[status] = _count._all;
  return counts;
}

/** Counts the incidents that match the filters, by status, among the latest `MOST_EXAMINED` incidents of each status. */
export async function countIncidents(db: Db, teamId: string, input: CountIncidentsInput): Promise<IncidentCounts> {
  const counts = { open: 0, acknowledged: 0, resolved: 0 };
  for (const status of IncidentStatus.options) {
    const range = { teamId, statuses: [status], to: input.to, last: null };
    const end = await lastExamined(db, within(range));
    const where = [await matching(db, input, range), within(range), ...(end ? [upTo(end)] : [])];
    counts[status] = await db.incident.count({ where: { AND: where } });
  }
  return counts;
}

/** Counts the unresolved incidents of a team, up to `MOST_EXAMINED`. */
export function countUnresolved(db: Db, teamId: string): Promise<number> {
  return db.incident.count({ where: { teamId, status: { in: ['open', 'acknowledged'] } }, take: MOST_EXAMINED });
}

/** Returns the median time in seconds from the start to the acknowledgment of incidents that started in a range; null if there are none. */
export async function medianAcknowledgment(db: Db, teamId: string, from: Date, to: Date): Promise<number | null> {
  // Raw: computes the median of a difference of two columns.
  const [row] = await db.$queryRaw<{ seconds: number | null }[]>`
    select percentile_cont(0.5) within group (order by extract(epoch from acknowledged_at - started_at))::float8 as seconds
    from incidents where team_id = ${teamId} and acknowledged_at is not null
      and started_at >= ${from}::timestamptz and started_at < ${to}::timestamptz`;
  return row?.seconds ?? null;
}
