import { cutPage } from '@/server/lists/cut-page';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { Prisma } from '@/server/platform/generated/prisma/client';
import type { ListComponentsInput, StatusPageComponent } from '../schema';
import type { NamingIncident } from './component-history';
import { componentStatus } from './component-status';

/**
 * The maximum number of unresolved and of resolved incidents that determine the status and the history of components. A user can create any number,
 * and each may name 50 components.
 */
const MOST_NAMING = 500;

const include = { statusPage: { select: { title: true } } } satisfies Prisma.StatusPageComponentInclude;

type Row = Prisma.StatusPageComponentGetPayload<{ include: typeof include }>;

/** Selects the unresolved incidents of a team that name any of these components, the most severe first, at most `MOST_NAMING`. */
const openNaming = (teamId: string, ids: string[]) => Prisma.sql`
  select i.id, i.severity, i.started_at, i.resolved_at from incidents i
  where i.team_id = ${teamId} and i.status in ('open', 'acknowledged') and exists (
    select 1 from incident_components n where n.incident_id = i.id and n.component_id = any(${ids}::text[])
  )
  order by i.severity, i.started_at desc limit ${MOST_NAMING}::int`;

/** Selects the IDs of the latest incidents that name any of these components: at most `MOST_NAMING` for each component and in total. */
const latestNaming = (ids: string[]) => Prisma.sql`
  select distinct each.incident_id as id from unnest(${ids}::text[]) component (id) cross join lateral (
    select incident_id from incident_components where component_id = component.id order by incident_id desc limit ${MOST_NAMING}::int
  ) each
  order by id desc limit ${MOST_NAMING}::int`;

/** The incidents that name a component. `knownSince` is the start of the oldest one that was read; null if there are no earlier ones. */
export interface Naming {
  incidents: NamingIncident[];
  knownSince: Date | null;
}

const moment = (seconds: number) => new Date(Math.round(seconds * 1000));

/**
 * Reads the unresolved incidents that name components of a team, and those resolved after `since`. Returns a function that gives those of one
 * component.
 */
export async function readNaming(
  db: Db,
  teamId: string,
  ids: string[],
  since: Date,
): Promise<(componentId: string) => Naming> {
  // Raw: one value per component, because parsing thousands of rows costs more than finding them.
  const rows = await db.$queryRaw<{ id: string; incidents: string | null; knownSince: Date | null }[]>`
    with open as materialized (${openNaming(teamId, ids)}), latest as materialized (${latestNaming(ids)}), naming as (
      select * from open
      union all
      select i.id, i.severity, i.started_at, i.resolved_at from latest join incidents i using (id)
      where i.status = 'resolved' and i.resolved_at > ${since}
    ), named as (
      select n.component_id as id, json_agg(json_build_array(
        severity, extract(epoch from started_at), extract(epoch from resolved_at)))::text as incidents
      from naming join incident_components n on n.incident_id = naming.id and n.component_id = any(${ids}::text[])
      group by n.component_id
    ), oldest as (
      select started_at from incidents
      where id = (select case when count(*) = ${MOST_NAMING}::int then min(id) end from latest)
    )
    select component.id, named.incidents, (select started_at from oldest) as "knownSince"
    from unnest(${ids}::text[]) component (id) left join named using (id)`;
  const byId = new Map(rows.map((row) => [row.id, row]));
  return (componentId) => {
    const { incidents = null, knownSince = null } = byId.get(componentId) ?? {};
    const found: [NamingIncident['severity'], number, number | null][] = JSON.parse(incidents ?? '[]');
    return {
      incidents: found.map(([severity, startedAt, resolvedAt]) => {
        return { severity, startedAt: moment(startedAt), resolvedAt: resolvedAt === null ? null : moment(resolvedAt) };
      }),
      knownSince,
    };
  };
}

export function componentNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such component.');
}

/** Maps rows to the API form, with the worst status that unresolved incidents cause. */
async function toComponents(db: Db, teamId: string, rows: Row[]): Promise<StatusPageComponent[]> {
  const ids = rows.map(({ id }) => id);
  // Raw: the most severe of each group.
  const worst = await db.$queryRaw<{ id: string; severity: NamingIncident['severity'] }[]>`
    with open as materialized (${openNaming(teamId, ids)})
    select n.component_id as id, min(open.severity)::text as severity
    from open join incident_components n on n.incident_id = open.id and n.component_id = any(${ids}::text[]) group by 1`;
  const severities = new Map(worst.map(({ id, severity }) => [id, severity]));
  return rows.map((row) => toComponent(row, severities.get(row.id)));
}

function toComponent({ statusPage, ...row }: Row, worst: NamingIncident['severity'] | undefined): StatusPageComponent {
  return {
    id: row.id,
    statusPageId: row.statusPageId,
    statusPageTitle: statusPage.title,
    name: row.name,
    description: row.description,
    status: componentStatus(worst ? [worst] : []),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Returns a component of a status page of the team.
 * @throws AppError NOT_FOUND
 */
export async function readComponent(db: Db, teamId: string, id: string): Promise<StatusPageComponent> {
  const row = await db.statusPageComponent.findFirst({ where: { id, statusPage: { teamId } }, include });
  const [component] = row ? await toComponents(db, teamId, [row]) : [];
  if (!component) throw componentNotFound();
  return component;
}

/** Returns the components of a page of the team, in its order. */
export async function readComponentsOf(db: Db, teamId: string, statusPageId: string): Promise<StatusPageComponent[]> {
  const rows = await db.statusPageComponent.findMany({
    where: { statusPageId, statusPage: { teamId } },
    include,
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  return toComponents(db, teamId, rows);
}

/** Returns a page of the team's components, newest first. The cursor is the last ID of the previous page. */
export async function listComponents(
  db: Db,
  teamId: string,
  { statusPageId, q, limit, cursor }: ListComponentsInput,
): Promise<{ components: StatusPageComponent[]; nextCursor: string | null }> {
  const rows = await db.statusPageComponent.findMany({
    where: {
      statusPage: { teamId },
      ...(statusPageId !== undefined && { statusPageId }),
      ...(q && { name: { contains: q.replace(/[\\%_]/g, '\\$&'), mode: 'insensitive' as const } }),
      ...(cursor !== undefined && { id: { lt: cursor } }),
    },
    include,
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  return { components: await toComponents(db, teamId, page), nextCursor };
}

/**
 * Returns the IDs of the latest incidents that name a component, or any component of a status page. Leaves out older ones, because open pages do not
 * show them.
 */
export async function incidentsNaming(db: Db, component: { id: string } | { statusPageId: string }): Promise<string[]> {
  const components = await db.statusPageComponent.findMany({ where: component, select: { id: true } });
  // Raw: reads the latest of each component by an index.
  const rows = await db.$queryRaw<{ id: string }[]>`${latestNaming(components.map(({ id }) => id))}`;
  return rows.map(({ id }) => id);
}
