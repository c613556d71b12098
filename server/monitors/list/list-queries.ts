import { smallConfig } from '@/server/history/small-config';
import type { Watched } from '@/server/history/watch';
import { MonitorStatus, type MonitorType, type OverviewOrderInput } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';

/** The columns that determine the position and the groups of a monitor in the list. */
export interface ListEntry {
  id: string;
  num: number;
  name: string;
  type: MonitorType;
  tags: string[];
  parentId: string | null;
  status: MonitorStatus;
  statusSince: Date;
}

/** The columns of a row of the list, including those of its position. */
export interface ListRow extends Watched, ListEntry {
  parentName: string | null;
  isFlapping: boolean;
  deletesAt: Date | null;
  lastCheckedAt: Date | null;
  lastError: string | null;
}

/** The columns that determine a monitor's p95 and uptime. */
export interface Figured extends Watched {
  id: string;
  num: number;
  lastCheckedAt: Date | null;
}

/** The position of a row in a list of each order. The next page starts after it. */
export type Position =
  | { sort: 'worst'; status: MonitorStatus; name: string; id: string }
  | { sort: 'name'; name: string; id: string }
  | { sort: 'changed'; since: Date; id: string };

export type Filter = Omit<OverviewOrderInput, 'sort' | 'group'> & { teamId: string };

/** The columns that a query of the list returns for each monitor. */
interface Columns<Row> {
  sql: Prisma.Sql;
  /** Never set; carries the type of the rows. */
  row?: Row;
}

/** Selects the address of `m` without secrets, from the fields of its config. The result contains that of `targetOf`. */
const address = Prisma.sql`coalesce(m.config->'url'->>'shown', m.config->>'url', m.config#>>'{steps,0,url,shown}', m.config#>>'{steps,0,url}',
    regexp_replace(m.config->>'host', '^(.*:.*)$', '[\\1]') || ':' || (m.config->>'port'),
    (m.config->>'host') || coalesce(' ' || (m.config->>'recordType'), ''),
    'pings' || coalesce(' at ' || (m.config->>'cron') || ' ' || coalesce(m.config->>'timezone', 'UTC'), ''))`;

/**
 * Matches monitors whose name, address without secrets, or a tag contains the text. The database converts both sides to lower case. In the locale C,
 * which the embedded database has, that changes ASCII letters only.
 */
export function matchesSearch(search: string): Prisma.Sql {
  const text = Prisma.sql`lower(${search})`;
  return Prisma.sql`(strpos(lower(m.name), ${text}) > 0 or strpos(lower(${address}), ${text}) > 0
    or exists (select 1 from unnest(m.tags) tag where strpos(lower(tag), ${text}) > 0))`;
}

/** Matches states `s` that are in a maintenance window now and not paused: the number of passed edges is odd. */
const isInMaintenance = Prisma.sql`(s.maintenance <> '{}' and s.status <> 'paused'
    and width_bucket(now(), s.maintenance) % 2 = 1)`;

/** Matches monitors by displayed status, in a form that the index of states that are not up can answer. */
export function isShown(status: MonitorStatus): Prisma.Sql {
  if (status === 'maintenance') return isInMaintenance;
  return Prisma.sql`(s.status = ${status}::monitor_status and not ${isInMaintenance})`;
}

/** Selects the displayed status of `s`; `shownSince` selects since when it is displayed. */
export const shown = Prisma.sql`case when ${isInMaintenance} then 'maintenance' else s.status end`;
const shownSince = Prisma.sql`case when ${isInMaintenance} then s.maintenance[width_bucket(now(), s.maintenance)]
    else s.status_since end`;

const watched = Prisma.sql`m.id, m.num, m.interval_seconds as "intervalSeconds", ${smallConfig} as config,
  m.watch_changed_at as "watchChangedAt", m.former_watch_ms as "formerWatchMs", s.last_checked_at as "lastCheckedAt"`;

export const entryColumns: Columns<ListEntry> = {
  sql: Prisma.sql`m.id, m.num, m.name, m.type::text as type, m.tags, m.parent_id as "parentId",
    (${shown})::text as status, ${shownSince} as "statusSince"`,
};
export const figureColumns: Columns<Figured> = { sql: watched };
/** The name of the parent is a subquery, so that it is read for the rows of the page only. */
export const rowColumns: Columns<ListRow> = {
  sql: Prisma.sql`${watched}, m.name, m.type::text as type, m.tags, m.parent_id as "parentId",
    (select parent.name from monitors parent where parent.id = m.parent_id) as "parentName",
    (${shown})::text as status, ${shownSince} as "statusSince", s.steady_since is not null as "isFlapping",
    m.deletes_at as "deletesAt", s.last_error as "lastError"`,
};

/** The columns that a search result shows. */
export type FoundRow = Pick<ListRow, 'id' | 'name' | 'type' | 'status' | 'statusSince'> & { config: ListRow['config'] };

export const foundColumns: Columns<FoundRow> = {
  sql: Prisma.sql`m.id, m.name, m.type::text as type, ${smallConfig} as config, (${shown})::text as status,
    ${shownSince} as "statusSince"`,
};

/** Matches monitors for which this channel was selected. Leaves out monitors that notify all channels. */
export const choseChannel = (channelId: string) => Prisma.sql`(not m.all_channels and exists (
    select 1 from monitor_channels chosen where chosen.monitor_id = m.id and chosen.channel_id = ${channelId}))`;

/** Builds the `from` and `where` clauses of the list with a filter. */
function from({ teamId, status, search, type, tag, region, channelId, parentId }: Filter): Prisma.Sql {
  const conditions = [
    Prisma.sql`m.team_id = ${teamId} and s.team_id = ${teamId}`,
    ...(status === undefined ? [] : [isShown(status)]),
    ...(search ? [matchesSearch(search)] : []),
    ...(type === undefined ? [] : [Prisma.sql`m.type = ${type}::monitor_type`]),
    ...(tag ? [Prisma.sql`m.tags @> array[${tag}]`] : []),
    ...(region ? [Prisma.sql`m.regions @> array[${region}]`] : []),
    ...(channelId ? [choseChannel(channelId)] : []),
    ...(parentId ? [Prisma.sql`m.parent_id = ${parentId}`] : []),
  ];
  return Prisma.sql`
    from monitors m join monitor_states s on s.monitor_id = m.id and s.region = ''
    where ${Prisma.join(conditions, ' and ')}`;
}

/** Returns whether a filter has other conditions than the status, so that the counts by status do not apply. */
export function isNarrowed({ search, type, tag, region, channelId, parentId }: Filter): boolean {
  return [search, type, tag, region, channelId, parentId].some(Boolean);
}

/** Counts a team's monitors by displayed status and in total. Computes the count of up, the most common status, as the total minus the others. */
export async function countByStatus(db: Db, teamId: string) {
  // Raw: the planner only uses the partial index of states that are not up for a constant condition.
  const found = await db.$queryRaw<{ status: MonitorStatus | null; count: number }[]>`
    select (${shown})::text as status, count(*)::int as count from monitor_states s
    where team_id = ${teamId} and region = '' and (status <> 'up' or maintenance <> '{}') group by 1
    union all select null, count(*)::int from monitors where team_id = ${teamId}`;
  const counts = Object.fromEntries(MonitorStatus.options.map((each) => [each, 0])) as Record<MonitorStatus, number>;
  let total = 0;
  for (const { status, count } of found) {
    if (status) counts[status] = count;
    else total = count;
  }
  counts.up = total - found.reduce((sum, { status, count }) => (status && status !== 'up' ? sum + count : sum), 0);
  return { counts, total };
}

/** Counts the monitors that match a filter. */
export async function countMatching(db: Db, filter: Filter): Promise<number> {
  // Raw: searches in the config.
  const [row] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count ${from(filter)}`;
  return row?.count ?? 0;
}

type WorstPosition = Extract<Position, { sort: 'worst' }>;
type Counts = Record<MonitorStatus, number>;

/** Returns the statuses to read for a page, most severe first: from that of the position on, until they have enough monitors. */
function statusesOf(filter: Filter, after: WorstPosition | null, limit: number, counts: Counts): MonitorStatus[] {
  if (filter.status) return [filter.status];
  const statuses: MonitorStatus[] = [];
  const first = after ? MonitorStatus.options.indexOf(after.status) : 0;
  let enough = limit;
  for (const each of MonitorStatus.options.slice(first)) {
    if (enough <= 0) break;
    if (counts[each] === 0) continue;
    statuses.push(each);
    // The position's own status contains monitors before it, and a filter matches an unknown number, so neither counts.
    if (each !== after?.status && !isNarrowed(filter)) enough -= counts[each];
  }
  return statuses;
}

/**
 * Reads the list after a position, most severe first, then by name. Reads each status separately, so that an index returns its rows in order and at
 * most one page of each is read, however many monitors the team has.
 */
export async function readWorstFirst<Row>(
  db: Db,
  { sql: columns }: Columns<Row>,
  filter: Filter,
  { after, limit, counts }: { after: WorstPosition | null; limit: number; counts: Counts },
): Promise<Row[]> {
  const statuses = statusesOf(filter, after, limit, counts).filter((status) => !after || isFrom(status, after));
  if (statuses.length === 0) return [];
  const parts = statuses.map((status) => {
    const rest =
      after?.status === status ? Prisma.sql`and (m.name, m.id) > (${after.name}, ${after.id})` : Prisma.empty;
    return Prisma.sql`(
      select ${columns}, ${shown} as listed_rank, m.name as listed_name
      ${from({ ...filter, status })} ${rest} order by m.name, m.id limit ${limit})`;
  });
  // Raw: a union of index scans, one for each status.
  return db.$queryRaw<Row[]>`
    select * from (${Prisma.join(parts, ' union all ')}) page order by listed_rank, listed_name, id limit ${limit}`;
}

/** Reads the list after a position, by name. An index returns the rows in order. */
export function readByName<Row>(
  db: Db,
  { sql: columns }: Columns<Row>,
  filter: Filter,
  { after, limit }: { after: Extract<Position, { sort: 'name' }> | null; limit: number },
): Promise<Row[]> {
  const rest = after ? Prisma.sql`and (m.name, m.id) > (${after.name}, ${after.id})` : Prisma.empty;
  // Raw: compares rows, and searches in the config.
  return db.$queryRaw<Row[]>`select ${columns} ${from(filter)} ${rest} order by m.name, m.id limit ${limit}`;
}

/** Reads the list after a position, the latest change of status first. Scans all states of the team. */
export function readLatestChange<Row>(
  db: Db,
  { sql: columns }: Columns<Row>,
  filter: Filter,
  { after, limit }: { after: Extract<Position, { sort: 'changed' }> | null; limit: number },
): Promise<Row[]> {
  const rest = after ? Prisma.sql`and (${shownSince}, m.id) < (${after.since}, ${after.id})` : Prisma.empty;
  // Raw: the time since which a status is displayed follows from the planned maintenance.
  return db.$queryRaw<Row[]>`
    select ${columns} ${from(filter)} ${rest} order by ${shownSince} desc, m.id desc limit ${limit}`;
}

/** Reads the monitors that match a filter after an ID, in the order of their IDs. */
export function readById<Row>(
  db: Db,
  { sql: columns }: Columns<Row>,
  filter: Filter,
  { after, limit }: { after: string; limit: number },
): Promise<Row[]> {
  // Raw: searches in the config.
  return db.$queryRaw<Row[]>`select ${columns} ${from(filter)} and m.id > ${after} order by m.id limit ${limit}`;
}

/** Reads the team's monitors with these IDs, in any order. */
export function readByIds<Row>(db: Db, { sql: columns }: Columns<Row>, teamId: string, ids: string[]): Promise<Row[]> {
  // Raw: the same columns as the list.
  return db.$queryRaw<Row[]>`select ${columns} ${from({ teamId })} and m.id = any(${ids})`;
}

/** Returns the `limit` most used tags of a team's monitors, each with its number of monitors. */
export async function readTags(db: Db, teamId: string, limit: number): Promise<{ tag: string; monitors: number }[]> {
  // Raw: counts the elements of arrays.
  return db.$queryRaw<{ tag: string; monitors: number }[]>`
    select tag, count(*)::int as monitors from monitors m, unnest(m.tags) tag where m.team_id = ${teamId}
    group by tag order by monitors desc, tag limit ${limit}`;
}

const isFrom = (status: MonitorStatus, after: WorstPosition) =>
  MonitorStatus.options.indexOf(status) >= MonitorStatus.options.indexOf(after.status);
