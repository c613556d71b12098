import { publicUpdates, toPublicUpdate } from '@/server/incidents/updates/public-updates';
import type { Db } from '@/server/platform/db';
import type { IncidentUpdate, Prisma } from '@/server/platform/generated/prisma/client';
import { DAY_MS } from '@/server/time/schema';
import { publicTitle } from './components/component-names';
import { statusBySeverity } from './components/component-status';
import { publicId } from './public-id';
import type { PageComponent } from './read-components';
import type { PublicIncident } from './schema';

const PAST_DAYS = 90;
/** The limits of a page. The dashboard shows all incidents. */
const MOST_OPEN = 100;
const MOST_PAST = 50;
/**
 * The maximum number of updates on a page, the latest ones. Limited because a page is read up to twice a second and its documents contain all of
 * them.
 */
const MOST_UPDATES = 500;
const MOST_CHARACTERS = 200_000;

const include = {
  furtherMonitors: { select: { monitorId: true }, orderBy: { monitorId: 'asc' } },
  components: { select: { componentId: true }, orderBy: { componentId: 'asc' } },
} satisfies Prisma.IncidentInclude;

type Row = Prisma.IncidentGetPayload<{ include: typeof include }>;

/** The public updates of incidents, latest first, and whether a person opened the incident. */
type Stories = Map<string, { updates: IncidentUpdate[]; isByPerson: boolean }>;

/** "Shop was down" */
const inPast = (title: string) => title.replace(/ is (?=(?:down|degraded|slow)$)/, ' was ');

/** Reads the latest updates of these incidents, as many as fit on a page. */
async function readStories(db: Db, rows: Row[]): Promise<Stories> {
  const incidentId = { in: rows.map(({ id }) => id) };
  const [updates, opened] = await Promise.all([
    db.incidentUpdate.findMany({
      where: { incidentId, ...publicUpdates },
      orderBy: [{ at: 'desc' }, { id: 'desc' }],
      take: MOST_UPDATES,
    }),
    db.incidentUpdate.findMany({
      where: { incidentId, kind: 'opened', authorName: { not: null } },
      select: { incidentId: true },
      distinct: 'incidentId',
    }),
  ]);
  const byPerson = new Set(opened.map((each) => each.incidentId));
  const stories: Stories = new Map(rows.map(({ id }) => [id, { updates: [], isByPerson: byPerson.has(id) }]));
  let left = MOST_CHARACTERS;
  for (const update of updates) {
    left -= update.message.length;
    if (left < 0) break;
    stories.get(update.incidentId)?.updates.push(update);
  }
  return stories;
}

function titleOf(
  { type, status, title, monitorId }: Row,
  { monitor, component }: PageComponent,
  isByPerson: boolean,
): string {
  if (title !== null && isByPerson) return title;
  // A generated title contains the name of the monitor, which may not be on this page.
  const generated =
    title !== null && monitor && monitor.id === monitorId
      ? publicTitle(title, monitor, component.name)
      : `${component.name} is ${type === 'degraded' ? 'degraded' : 'down'}`;
  return status === 'resolved' ? inPast(generated) : generated;
}

/** An incident's impact on its components: by its type, or by its severity for a manual incident with components without a monitor. */
function impactOf({ type, severity }: Row, on: PageComponent[]): PublicIncident['impact'] {
  if (type === 'downtime') return 'down';
  return on.some(({ monitor }) => monitor === null) ? statusBySeverity(severity) : 'degraded';
}

function toPublic(
  statusPageId: string,
  row: Row,
  { on, stories }: { on: [PageComponent, ...PageComponent[]]; stories: Stories },
): PublicIncident {
  const { updates, isByPerson } = stories.get(row.id) ?? { updates: [], isByPerson: false };
  const components = on.map(({ component }) => component);
  return {
    id: publicId(statusPageId, row.id),
    title: titleOf(row, on[0], isByPerson),
    status: row.status,
    impact: impactOf(row, on),
    startedAt: row.startedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    component: components.map(({ name }) => name).join(', '),
    componentIds: components.map(({ id }) => id),
    updates: updates.flatMap(toPublicUpdate).map((update) => ({ ...update, id: publicId(statusPageId, update.id) })),
  };
}

/** The incidents of a page's monitors and components with public texts, newest first. Omits certificate incidents, which are internal. */
export async function readIncidents(
  db: Db,
  { id, teamId }: { id: string; teamId: string },
  components: PageComponent[],
  now: Date,
): Promise<{ openIncidents: PublicIncident[]; pastIncidents: PublicIncident[] }> {
  const monitorId = { in: components.flatMap(({ monitor }) => monitor?.id ?? []) };
  const componentId = { in: components.flatMap(({ id: own, monitor }) => (monitor ? [] : own)) };
  const where: Prisma.IncidentWhereInput = {
    teamId,
    type: { not: 'certificate' },
    OR: [{ monitorId }, { furtherMonitors: { some: { monitorId } } }, { components: { some: { componentId } } }],
  };
  const latestFirst = [{ startedAt: 'desc' as const }, { id: 'desc' as const }];
  // The enum is ordered, the most severe first.
  const worstFirst = [{ severity: 'asc' as const }, ...latestFirst];
  const resolvedAt = { gte: new Date(now.getTime() - PAST_DAYS * DAY_MS) };
  const [open, past] = await Promise.all([
    db.incident.findMany({
      where: { ...where, status: { not: 'resolved' } },
      include,
      orderBy: worstFirst,
      take: MOST_OPEN,
    }),
    db.incident.findMany({
      where: { ...where, status: 'resolved', resolvedAt },
      include,
      orderBy: latestFirst,
      take: MOST_PAST,
    }),
  ]);
  const stories = await readStories(db, [...open, ...past]);
  const byId = new Map(components.map((each) => [each.id, each]));
  const toIncidents = (rows: Row[]) =>
    rows.flatMap((row) => {
      const named = row.components.map((each) => each.componentId);
      const ids = [row.monitorId, ...row.furtherMonitors.map((each) => each.monitorId), ...named];
      const [first, ...further] = ids.flatMap((each) => byId.get(each ?? '') ?? []);
      return first ? [toPublic(id, row, { on: [first, ...further], stories })] : [];
    });
  return { openIncidents: toIncidents(open), pastIncidents: toIncidents(past) };
}
