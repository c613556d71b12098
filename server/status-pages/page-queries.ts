import type { Db } from '@/server/platform/db';
import { type Incident, type IncidentUpdate, Prisma } from '@/server/platform/generated/prisma/client';

/** An incident of a page, with its further monitors and components that are on it. */
export interface PageIncident
  extends Pick<Incident, 'id' | 'type' | 'status' | 'severity' | 'title' | 'monitorId' | 'startedAt' | 'resolvedAt'> {
  furtherIds: string[];
  componentIds: string[];
  /** Whether a person opened it. */
  isByPerson: boolean;
}

/** The monitors and components on a page, and their team. */
export interface PageScope {
  teamId: string;
  monitorIds: string[];
  componentIds: string[];
}

/** The maximum number of latest incidents of each monitor or component that are considered for a page. */
const MOST_EACH = 100;

const latestFirst = Prisma.sql`i.started_at desc, i.id desc`;
/** The enum is ordered, the most severe first. */
const worstFirst = Prisma.sql`i.severity, ${latestFirst}`;

/** Selects the incident of a row of `chosen`. Keeps the planner from reading all incidents to join a few. */
const incidentOf = Prisma.sql`(select * from incidents where id = chosen.id offset 0)`;

interface Chosen {
  ids: Prisma.Sql;
  order: Prisma.Sql;
}

const open = ({ teamId, monitorIds, componentIds }: PageScope, limit: number) => Prisma.sql`
  select i.id from incidents i
  where i.team_id = ${teamId} and i.status in ('open', 'acknowledged') and i.type <> 'certificate' and (
    i.monitor_id = any(${monitorIds}::text[])
    or exists (select 1 from incident_monitors n where n.incident_id = i.id and n.monitor_id = any(${monitorIds}::text[]))
    or exists (select 1 from incident_components n where n.incident_id = i.id and n.component_id = any(${componentIds}::text[]))
  )
  order by ${worstFirst} limit ${limit}::int`;

/**
 * Selects the resolved incidents of a page. Reads the latest ones of each monitor and component by an index, because most incidents of the team may
 * not concern the page.
 */
const past = ({ teamId, monitorIds, componentIds }: PageScope, since: Date, limit: number) => Prisma.sql`
  select i.id from (
    select each.id from unnest(${monitorIds}::text[]) monitor (id) cross join lateral (
      select id from incidents where monitor_id = monitor.id order by started_at desc limit ${MOST_EACH}::int
    ) each
    union
    select each.incident_id from unnest(${monitorIds}::text[]) monitor (id) cross join lateral (
      select incident_id from incident_monitors where monitor_id = monitor.id order by incident_id desc limit ${MOST_EACH}::int
    ) each
    union
    select each.incident_id from unnest(${componentIds}::text[]) component (id) cross join lateral (
      select incident_id from incident_components where component_id = component.id order by incident_id desc limit ${MOST_EACH}::int
    ) each
  ) chosen cross join lateral ${incidentOf} i
  where i.team_id = ${teamId} and i.status = 'resolved' and i.type <> 'certificate' and i.resolved_at >= ${since}
  order by ${latestFirst} limit ${limit}::int`;

/** Reads incidents of a page; without certificate incidents, which are internal. */
async function readRows(
  db: Db,
  { monitorIds, componentIds }: PageScope,
  { ids, order }: Chosen,
): Promise<PageIncident[]> {
  // Raw: a model call takes many times the CPU for incidents with 50 monitors and components each.
  const rows = await db.$queryRaw<
    (Omit<PageIncident, 'furtherIds' | 'componentIds'> & { furtherIds: string | null; componentIds: string | null })[]
  >`
    select i.id, i.type::text, i.status::text, i.severity::text, i.title, i.monitor_id as "monitorId",
      i.started_at as "startedAt", i.resolved_at as "resolvedAt",
      (select string_agg(n.monitor_id, ',' order by n.monitor_id) from incident_monitors n
        where n.incident_id = i.id and n.monitor_id = any(${monitorIds}::text[])) as "furtherIds",
      (select string_agg(n.component_id, ',' order by n.component_id) from incident_components n
        where n.incident_id = i.id and n.component_id = any(${componentIds}::text[])) as "componentIds",
      (select u.author_name from incident_updates u where u.incident_id = i.id and u.kind = 'opened' order by u.at limit 1)
        is not null as "isByPerson"
    from (${ids}) chosen cross join lateral ${incidentOf} i order by ${order}`;
  return rows.map((row) => ({
    ...row,
    furtherIds: row.furtherIds?.split(',') ?? [],
    componentIds: row.componentIds?.split(',') ?? [],
  }));
}

/** Reads the unresolved incidents of a page, at most `limit`, the most severe ones. */
export function readOpenIncidents(db: Db, scope: PageScope, limit: number): Promise<PageIncident[]> {
  return readRows(db, scope, { ids: open(scope, limit), order: worstFirst });
}

/** Reads the incidents of a page that were resolved since a time, at most `limit`, the latest ones. */
export function readPastIncidents(
  db: Db,
  scope: PageScope,
  { since, limit }: { since: Date; limit: number },
): Promise<PageIncident[]> {
  return readRows(db, scope, { ids: past(scope, since, limit), order: latestFirst });
}

/** Reads the public updates of incidents, latest first: at most `limit` in total. An incident may have thousands that are internal. */
export function readPublicUpdates(
  db: Db,
  incidentIds: string[],
  limit: number,
): Promise<Pick<IncidentUpdate, 'id' | 'incidentId' | 'kind' | 'message' | 'at'>[]> {
  // Raw: reads the latest of each incident by the partial index of public updates, and only the texts of those that are returned.
  return db.$queryRaw`
    with latest as materialized (
      select each.id from unnest(${incidentIds}::text[]) incident (id) cross join lateral (
        select u.id, u.at from incident_updates u
        where u.incident_id = incident.id and (u.is_public or u.kind not in ('note', 'changed'))
        order by u.at desc, u.id desc limit ${limit}::int
      ) each
      order by each.at desc, each.id desc limit ${limit}::int
    )
    select id, incident_id as "incidentId", kind::text, message, at from incident_updates
    where id in (select id from latest) order by at desc, id desc`;
}

/** Returns which of these monitors each maintenance window names. Windows that name none are missing. */
export async function readWindowMonitors(
  db: Db,
  windowIds: string[],
  monitorIds: string[],
): Promise<Map<string, Set<string>>> {
  // Raw: a model call takes many times the CPU for thousands of rows.
  const rows = await db.$queryRaw<{ id: string; monitorIds: string }[]>`
    select maintenance_window_id as id, string_agg(monitor_id, ',') as "monitorIds" from maintenance_window_monitors
    where maintenance_window_id = any(${windowIds}::text[]) and monitor_id = any(${monitorIds}::text[]) group by 1`;
  return new Map(rows.map((row) => [row.id, new Set(row.monitorIds.split(','))]));
}
