import { seesSecrets } from '@/server/auth/sees-secrets';
import {
  type Facts,
  fromFacts,
  type MonitorView,
  monitorInclude,
  monitorNotFound,
  toMonitor,
} from '@/server/monitor-types/output/to-monitor';
import type { ListMonitorsInput, Monitor } from '@/server/monitor-types/schema';
import type { Db, Tx } from '@/server/platform/db';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { TeamContext } from '@/server/trpc/contexts';
import { choseChannel, isShown, matchesSearch, shown } from './list/list-queries';

/** Returns the form of monitors for the caller: `editable` for one who may see their secrets, otherwise `masked`. */
export const viewFor = (ctx: Pick<TeamContext, 'actor'>): MonitorView =>
  seesSecrets(ctx, 'monitors') ? 'editable' : 'masked';

/** Converts a time in PostgreSQL's JSON form of a UTC session ("2026-11-20T03:07:12.5+00:00") to ISO 8601 with milliseconds. */
function toIso(text: string): string {
  return `${text.slice(0, 19)}.${text.slice(20, -6).padEnd(3, '0')}Z`;
}

/** The maximum size of all configs on a page of a list. A page has at least one monitor, even if that is larger. */
const MAX_PAGE_BYTES = 1024 * 1024;

/**
 * Reads monitors that match a condition, newest first: at most `limit`, and only as many as their configs fit on a page. Raw, because no model call
 * can search inside the config, nor use the partial index of states that are not up. One statement that returns one text takes a third of the CPU of
 * a `findMany` of fifty rows.
 * @returns `hasMore`: whether further monitors match
 */
async function readMany(
  db: Db,
  condition: Prisma.Sql,
  limit: number,
  view: MonitorView,
): Promise<{ monitors: Monitor[]; hasMore: boolean }> {
  const [answer] = await db.$queryRaw<{ page: string | null; found: number }[]>`
    with found as materialized (
      select m.id, m.team_id as "teamId", m.type, m.name, m.config, m.interval_seconds as "intervalSeconds",
        m.is_active as "isActive", m.tags, m.all_channels as "allChannels", m.regions, m.severity, m.external_id as "externalId",
        m.ping_token as "pingToken", m.created_at as "createdAt", m.updated_at as "updatedAt",
        coalesce(${shown}, 'pending') as status, s.last_checked_at as "lastCheckedAt",
        case when m.all_channels then '{}'
          else array(select c.channel_id from monitor_channels c where c.monitor_id = m.id) end as "channelIds"
      from monitors m left join monitor_states s on s.monitor_id = m.id and s.region = ''
      where ${condition} order by m.id desc limit ${limit + 1}
    ), page as (
      select * from (
        select found.*, row_number() over newer as place, sum(octet_length(config::text)) over newer as bytes
        from found window newer as (order by id desc)
      ) sized where place = 1 or place <= ${limit} and bytes <= ${MAX_PAGE_BYTES}::int
    )
    select (select json_agg(page order by id desc)::text from page) as page, (select count(*)::int from found) as found`;
  const rows: Facts[] = answer?.page ? JSON.parse(answer.page) : [];
  const monitors = rows.map((row) => {
    row.createdAt = toIso(row.createdAt);
    row.updatedAt = toIso(row.updatedAt);
    row.lastCheckedAt &&= toIso(row.lastCheckedAt);
    return fromFacts(row, view);
  });
  return { monitors, hasMore: (answer?.found ?? 0) > monitors.length };
}

/**
 * Returns a monitor of the team.
 * @throws AppError NOT_FOUND
 */
export async function readMonitor(db: Db, teamId: string, id: string, view: MonitorView): Promise<Monitor> {
  const row = await db.monitor.findFirst({ where: { id, teamId }, include: monitorInclude });
  if (!row) throw monitorNotFound();
  return toMonitor(row, view);
}

/**
 * Returns the team's monitor with this externalId.
 * @throws AppError NOT_FOUND
 */
export async function readMonitorByExternalId(
  db: Db,
  teamId: string,
  externalId: string,
  view: MonitorView,
): Promise<Monitor> {
  const where = { teamId_externalId: { teamId, externalId } };
  const row = await db.monitor.findUnique({ where, include: monitorInclude });
  if (!row) throw monitorNotFound();
  return toMonitor(row, view);
}

/** Returns a page of the team's monitors that match the filter, newest first. The cursor is the last ID of the previous page. */
export async function listMonitors(
  db: Db,
  teamId: string,
  { limit, cursor, externalId, tag, type, status, q, channelId }: ListMonitorsInput,
  view: MonitorView,
): Promise<{ monitors: Monitor[]; nextCursor: string | null }> {
  const conditions = [
    Prisma.sql`m.team_id = ${teamId}`,
    ...(cursor === undefined ? [] : [Prisma.sql`m.id < ${cursor}`]),
    ...(externalId === undefined ? [] : [Prisma.sql`m.external_id = ${externalId}`]),
    ...(tag === undefined ? [] : [Prisma.sql`m.tags @> array[${tag}]`]),
    ...(type === undefined ? [] : [Prisma.sql`m.type = ${type}::monitor_type`]),
    // Includes the team ID of the state, because the index of states that are not up starts with it.
    ...(status === undefined ? [] : [Prisma.sql`${isShown(status)} and s.team_id = ${teamId}`]),
    ...(q ? [matchesSearch(q)] : []),
    ...(channelId === undefined ? [] : [choseChannel(channelId)]),
  ];
  const { monitors, hasMore } = await readMany(db, Prisma.join(conditions, ' and '), limit, view);
  return { monitors, nextCursor: hasMore ? (monitors.at(-1)?.id ?? null) : null };
}

/** Returns the regions that a team's monitors name, by name, at most `limit`. */
export async function namedRegions(db: Db, teamId: string, limit: number): Promise<string[]> {
  // Raw: elements of arrays.
  const rows = await db.$queryRaw<{ name: string }[]>`
    select distinct unnest(regions) as name from monitors where team_id = ${teamId} and regions <> '{}' order by 1 limit ${limit}::int`;
  return rows.map(({ name }) => name);
}

/** The time of a manual change to a monitor, and its last check. */
interface Moment {
  at: Date;
  lastCheckedAt: Date | null;
}

/**
 * Returns the time for a manual change of each monitor: the database's time, but after the start of the present status, so that spans do not overlap.
 */
export async function readMoments(tx: Tx, monitorIds: string[]): Promise<Map<string, Moment>> {
  // Raw: the database's clock.
  const rows = await tx.$queryRaw<(Moment & { id: string })[]>`
    select monitor_id as id, greatest(statement_timestamp(), status_since + interval '1 ms') as at,
      last_checked_at as "lastCheckedAt"
    from monitor_states where monitor_id = any(${monitorIds}) and region = ''`;
  return new Map(rows.map(({ id, ...moment }) => [id, moment]));
}

/**
 * Sets monitors active or paused and raises their versions. Activating also cancels a pending deletion. The caller has locked them.
 * @see nextVersion
 */
export async function setActive(tx: Tx, monitorIds: string[], isActive: boolean): Promise<void> {
  // Raw: sets a version later than the former one in each row.
  await tx.$executeRaw`
    update monitors set is_active = ${isActive}, version = version + 1,
      deletes_at = case when not ${isActive} then deletes_at end,
      updated_at = ${later()}
    where id = any(${monitorIds})`;
}

/** Sets when monitors are deleted (null cancels that), and whether an undo resumes them. The caller has locked them. */
export async function setDeletion(
  tx: Tx,
  monitors: { id: string }[],
  deletion: { deletesAt: Date | null; resumesOnUndo: boolean },
): Promise<void> {
  const ids = monitors.map(({ id }) => id);
  const { deletesAt, resumesOnUndo } = deletion;
  // Raw: sets a time later than the former one in each row.
  await tx.$executeRaw`
    update monitors set deletes_at = ${deletesAt}::timestamptz(3), resumes_on_undo = ${resumesOnUndo}, updated_at = ${later()}
    where id = any(${ids})`;
}

const later = () => Prisma.sql`greatest(${new Date()}::timestamptz(3), updated_at + interval '1 ms')`;

/** Raises `updated_at` of monitors after a change that does not affect their checks. The caller has locked them. */
export async function touch(tx: Tx, monitorIds: string[]): Promise<void> {
  // Raw, like `setDeletion`.
  await tx.$executeRaw`update monitors set updated_at = ${later()} where id = any(${monitorIds})`;
}

/** Adds a tag to monitors or removes it. The caller has locked them. */
export async function changeTag(tx: Tx, monitorIds: string[], tag: string, isAdded: boolean): Promise<void> {
  const tags = isAdded ? Prisma.sql`array_append(tags, ${tag})` : Prisma.sql`array_remove(tags, ${tag})`;
  // Raw: changes an element of each row's array.
  await tx.$executeRaw`update monitors set tags = ${tags}, updated_at = ${later()} where id = any(${monitorIds})`;
}
