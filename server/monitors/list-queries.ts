import { smallConfig } from '@/server/history/small-config';
import type { Watched } from '@/server/history/watch';
import { MonitorStatus, type MonitorType } from '@/server/monitor-types/schema';
import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';

/** The first columns of a monitor in the list. */
export interface ListRow extends Watched {
  id: string;
  num: number;
  name: string;
  type: MonitorType;
  tags: string[];
  status: MonitorStatus;
  statusSince: Date;
  isFlapping: boolean;
  lastCheckedAt: Date | null;
  lastError: string | null;
}

/** The position of a row in the list. */
export interface Position {
  status: MonitorStatus;
  name: string;
  id: string;
}

interface Filter {
  teamId: string;
  status: MonitorStatus | undefined;
  search: string | undefined;
}

/** The address of `m` without secrets, from the fields of its config. Contains the result of `targetOf`. */
const address = Prisma.sql`coalesce(m.config->'url'->>'shown', m.config->>'url',
    regexp_replace(m.config->>'host', '^(.*:.*)$', '[\\1]') || ':' || (m.config->>'port'),
    (m.config->>'host') || coalesce(' ' || (m.config->>'recordType'), ''),
    'pings' || coalesce(' at ' || (m.config->>'cron') || ' ' || coalesce(m.config->>'timezone', 'UTC'), ''))`;

/**
 * Matches monitors whose name, address without secrets, or a tag contains the text. The database lowers both sides: in the locale C, which the embedded
 * one has, it lowers ASCII letters only.
 */
export function matchesSearch(search: string): Prisma.Sql {
  const text = Prisma.sql`lower(${search})`;
  return Prisma.sql`(strpos(lower(m.name), ${text}) > 0 or strpos(lower(${address}), ${text}) > 0
    or exists (select 1 from unnest(m.tags) tag where strpos(lower(tag), ${text}) > 0))`;
}

/** Whether `s` is in a maintenance window now and not paused: the number of passed edges is odd. */
const isInMaintenance = Prisma.sql`(s.maintenance <> '{}' and s.status <> 'paused'
    and width_bucket(now(), s.maintenance) % 2 = 1)`;

/** Matches monitors by displayed status, in a form that the index of states that are not up can answer. */
export function isShown(status: MonitorStatus): Prisma.Sql {
  if (status === 'maintenance') return isInMaintenance;
  return Prisma.sql`(s.status = ${status}::monitor_status and not ${isInMaintenance})`;
}

/** The displayed status of `s`, and since when. */
export const shown = Prisma.sql`case when ${isInMaintenance} then 'maintenance' else s.status end`;
const shownSince = Prisma.sql`case when ${isInMaintenance} then s.maintenance[width_bucket(now(), s.maintenance)]
    else s.status_since end`;

function from({ teamId, status, search }: Filter): Prisma.Sql {
  return Prisma.sql`
    from monitors m join monitor_states s on s.monitor_id = m.id and s.region = ''
    where m.team_id = ${teamId} and s.team_id = ${teamId}
      ${status ? Prisma.sql`and ${isShown(status)}` : Prisma.empty}
      ${search ? Prisma.sql`and ${matchesSearch(search)}` : Prisma.empty}`;
}

/** The number of a team's monitors per status and in total. The count of up, the most common status, is the total minus the others. */
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

/** The number of monitors that match a filter. */
export async function countMatching(db: Db, filter: Filter): Promise<number> {
  // Raw: searches in the config.
  const [row] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count ${from(filter)}`;
  return row?.count ?? 0;
}

/** The statuses to read for a page, most severe first, from the position on, until they have enough monitors. */
function statusesOf(
  { status, search }: Filter,
  { after, limit, counts }: { after: Position | null; limit: number; counts: Record<MonitorStatus, number> },
): MonitorStatus[] {
  if (status) return [status];
  const statuses: MonitorStatus[] = [];
  const first = after ? MonitorStatus.options.indexOf(after.status) : 0;
  let enough = limit;
  for (const each of MonitorStatus.options.slice(first)) {
    if (enough <= 0) break;
    if (counts[each] === 0) continue;
    statuses.push(each);
    // The position's own status contains monitors before it, and a search matches an unknown number, so neither counts.
    if (each !== after?.status && !search) enough -= counts[each];
  }
  return statuses;
}

/**
 * The rows of the list after a position: most severe first, then by name. Reads each status separately, so that an index returns its rows in order
 * and at most one page is read, however many monitors the team has.
 */
export async function readListPage(
  db: Db,
  filter: Filter,
  page: { after: Position | null; limit: number; counts: Record<MonitorStatus, number> },
): Promise<ListRow[]> {
  const { after, limit } = page;
  const statuses = statusesOf(filter, page).filter((status) => !after || isFrom(status, after));
  if (statuses.length === 0) return [];
  const parts = statuses.map((status) => {
    const rest =
      after?.status === status ? Prisma.sql`and (m.name, m.id) > (${after.name}, ${after.id})` : Prisma.empty;
    return Prisma.sql`(
      select m.id, m.num, m.name, m.type::text as type, ${smallConfig} as config, m.tags, m.interval_seconds as "intervalSeconds",
        m.watch_changed_at as "watchChangedAt", m.former_watch_ms as "formerWatchMs",
        (${shown})::text as status, ${shownSince} as "statusSince",
        s.steady_since is not null as "isFlapping", s.last_checked_at as "lastCheckedAt",
        s.last_error as "lastError", ${shown} as rank
      ${from({ ...filter, status })} ${rest} order by m.name, m.id limit ${limit})`;
  });
  // Raw: a union of index scans, one for each status.
  return db.$queryRaw<ListRow[]>`
    select * from (${Prisma.join(parts, ' union all ')}) page order by rank, name, id limit ${limit}`;
}

const isFrom = (status: MonitorStatus, after: Position) =>
  MonitorStatus.options.indexOf(status) >= MonitorStatus.options.indexOf(after.status);
