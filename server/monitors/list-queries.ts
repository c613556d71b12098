import type { Watched } from '@/server/history/watch';
import type { Db } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { MonitorStatus, type MonitorType } from './schema';

/** A monitor as a line of the list begins. */
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

/** Where a line stands in the list. */
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

/** The address of `m` without its secrets, by the fields that its config has: it contains what `targetOf` returns. */
const address = Prisma.sql`coalesce(m.config->'url'->>'shown', m.config->>'url',
    regexp_replace(m.config->>'host', '^(.*:.*)$', '[\\1]') || ':' || (m.config->>'port'),
    (m.config->>'host') || coalesce(' ' || (m.config->>'recordType'), ''),
    'pings' || coalesce(' at ' || (m.config->>'cron') || ' ' || coalesce(m.config->>'timezone', 'UTC'), ''))`;

/** The condition that a search text is in what the list shows of `m`: its name, its address as far as it is no secret, or one of its tags. */
export function matchesSearch(search: string): Prisma.Sql {
  const text = search.toLowerCase();
  return Prisma.sql`(strpos(lower(m.name), ${text}) > 0 or strpos(lower(${address}), ${text}) > 0
    or exists (select 1 from unnest(m.tags) tag where strpos(lower(tag), ${text}) > 0))`;
}

function from({ teamId, status, search }: Filter): Prisma.Sql {
  return Prisma.sql`
    from monitors m join monitor_states s on s.monitor_id = m.id and s.region = ''
    where m.team_id = ${teamId} and s.team_id = ${teamId}
      ${status ? Prisma.sql`and s.status = ${status}::monitor_status` : Prisma.empty}
      ${search ? Prisma.sql`and ${matchesSearch(search)}` : Prisma.empty}`;
}

/** How many monitors a team has, in each status and in all. Those that are up, which are most, are what the others leave. */
export async function countByStatus(db: Db, teamId: string) {
  // Raw: only a condition on a constant is found in the partial index of states that are not up.
  const found = await db.$queryRaw<{ status: MonitorStatus | null; count: number }[]>`
    select status::text, count(*)::int as count from monitor_states
    where team_id = ${teamId} and region = '' and status <> 'up' group by 1
    union all select null, count(*)::int from monitors where team_id = ${teamId}`;
  const counts = Object.fromEntries(MonitorStatus.options.map((each) => [each, 0])) as Record<MonitorStatus, number>;
  let total = 0;
  for (const { status, count } of found) {
    if (status) counts[status] = count;
    else total = count;
  }
  counts.up = total - found.reduce((sum, { status, count }) => (status ? sum + count : sum), 0);
  return { counts, total };
}

/** How many monitors a filter leaves. */
export async function countMatching(db: Db, filter: Filter): Promise<number> {
  // Raw: searches in the config.
  const [row] = await db.$queryRaw<{ count: number }[]>`select count(*)::int as count ${from(filter)}`;
  return row?.count ?? 0;
}

/** The statuses whose monitors a page can hold, worst first: after the position, until there are enough. */
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
    // Some of the position's own status stand before it, and nobody knows how many a search finds.
    if (each !== after?.status && !search) enough -= counts[each];
  }
  return statuses;
}

/**
 * Lines of the list after a position: worst first, then by name. Each status is read by itself, so that an index gives its
 * lines in their order and no more than a page is looked at, however many monitors the team has.
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
      select m.id, m.num, m.name, m.type::text as type, m.config, m.tags, m.interval_seconds as "intervalSeconds",
        m.watch_changed_at as "watchChangedAt", m.former_watch_ms as "formerWatchMs",
        s.status::text as status, s.status_since as "statusSince",
        s.steady_since is not null as "isFlapping", s.last_checked_at as "lastCheckedAt",
        s.last_error as "lastError", s.status as rank
      ${from({ ...filter, status })} ${rest} order by m.name, m.id limit ${limit})`;
  });
  // Raw: a union of index scans, one for each status.
  return db.$queryRaw<ListRow[]>`
    select * from (${Prisma.join(parts, ' union all ')}) page order by rank, name, id limit ${limit}`;
}

const isFrom = (status: MonitorStatus, after: Position) =>
  MonitorStatus.options.indexOf(status) >= MonitorStatus.options.indexOf(after.status);
