import type { Db } from '@/server/platform/db';
import type { Incident, Prisma } from '@/server/platform/generated/prisma/client';
import type { IncidentRow } from './to-incident';

type Affected = Pick<IncidentRow, 'furtherMonitors' | 'components'>;
type NamedComponent = Affected['components'][number]['component'];
interface Named {
  incidentId: string;
  ids: string;
}

async function readComponents(db: Db, ids: string[]): Promise<Map<string, NamedComponent>> {
  if (ids.length === 0) return new Map();
  // Raw: a model call takes many times the CPU for thousands of rows.
  const rows = await db.$queryRaw<{ id: string; name: string; statusPageId: string; title: string }[]>`
    select c.id, c.name, c.status_page_id as "statusPageId", p.title
    from status_page_components c join status_pages p on p.id = c.status_page_id
    where c.id = any(${ids}::text[])`;
  return new Map(rows.map(({ title, ...row }) => [row.id, { ...row, statusPage: { title } }]));
}

/** Reads the further monitors and the components of incidents (at most 50 of each per incident) and adds them in the form of `incidentInclude`. */
export async function withAffected<Row extends { id: string }>(db: Db, rows: Row[]): Promise<(Row & Affected)[]> {
  if (rows.length === 0) return [];
  const of = rows.map(({ id }) => id);
  // Raw: a model call takes many times the CPU for thousands of rows. The joins skip deleted monitors and components, whose rows a job deletes.
  const monitors = await db.$queryRaw<Named[]>`
    select i.incident_id as "incidentId", string_agg(m.id, ',' order by m.id) as ids
    from incident_monitors i join monitors m on m.id = i.monitor_id
    where i.incident_id = any(${of}::text[]) group by i.incident_id`;
  const named = await db.$queryRaw<Named[]>`
    select i.incident_id as "incidentId", string_agg(c.id, ',' order by c.id) as ids
    from incident_components i join status_page_components c on c.id = i.component_id
    where i.incident_id = any(${of}::text[]) group by i.incident_id`;
  const idsOf = (found: Named[]) => new Map(found.map(({ incidentId, ids }) => [incidentId, ids.split(',')]));
  const [monitorIds, componentIds] = [idsOf(monitors), idsOf(named)];
  const components = await readComponents(db, [...new Set([...componentIds.values()].flat())]);
  return rows.map((row) => ({
    ...row,
    furtherMonitors: (monitorIds.get(row.id) ?? []).map((monitorId) => ({ monitorId })),
    components: (componentIds.get(row.id) ?? []).flatMap((id) => {
      const component = components.get(id);
      return component ? [{ component }] : [];
    }),
  }));
}

/** Reads incidents in the order of their IDs. The result is that of a model call with `incidentInclude`, but fast for thousands of incidents. */
export async function findIncidents(db: Db, where: Prisma.IncidentWhereInput): Promise<IncidentRow[]> {
  return withAffected<Incident>(db, await db.incident.findMany({ where, orderBy: { id: 'asc' } }));
}

/** Reads, for the page of an acknowledge link, the names of the first monitors of each incident, and who acknowledged it last (null for nobody). */
export async function readForLink(
  db: Db,
  ids: string[],
  mostNames: number,
): Promise<Map<string, { monitorNames: string[]; acknowledgedBy: string | null }>> {
  // Raw: limits for each incident. A message may be about a thousand, each with 50 monitors and thousands of updates.
  const rows = await db.$queryRaw<{ id: string; monitorNames: string[] | null; acknowledgedBy: string | null }[]>`
    select i.id, (
      select json_agg(name order by nth) from (
        select m.name, 0 as nth from monitors m where m.id = i.monitor_id
        union all
        select m.name, row_number() over (order by n.monitor_id) from incident_monitors n join monitors m on m.id = n.monitor_id
        where n.incident_id = i.id
        order by nth limit ${mostNames}::int
      ) named
    ) as "monitorNames", (
      select author_name from incident_updates u where u.incident_id = i.id and u.kind = 'acknowledged' order by at desc, id desc limit 1
    ) as "acknowledgedBy"
    from incidents i where i.id = any(${ids}::text[])`;
  return new Map(
    rows.map(({ id, monitorNames, acknowledgedBy }) => [id, { monitorNames: monitorNames ?? [], acknowledgedBy }]),
  );
}
