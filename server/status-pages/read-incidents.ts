import { publicUpdates, toPublicUpdate } from '@/server/incidents/public-updates';
import type { Db } from '@/server/platform/db';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { DAY_MS } from '@/server/time/schema';
import { publicTitle } from './component-names';
import { publicId } from './public-id';
import type { PageComponent } from './read-components';
import type { PublicIncident } from './schema';

const PAST_DAYS = 90;
/** The limits of one page; the dashboard has all incidents. */
const MOST_OPEN = 100;
const MOST_PAST = 50;

const include = {
  furtherMonitors: { select: { monitorId: true }, orderBy: { monitorId: 'asc' } },
  updates: {
    where: publicUpdates,
    orderBy: [{ at: 'desc' }, { id: 'desc' }],
    take: 50,
  },
} satisfies Prisma.IncidentInclude;

type Row = Prisma.IncidentGetPayload<{ include: typeof include }>;

function titleOf({ type, title, updates, monitorId }: Row, { monitor, component }: PageComponent): string {
  const isByPerson = updates.some(({ kind, authorName }) => kind === 'opened' && authorName !== null);
  if (title !== null && isByPerson) return title;
  // A generated title has the name of its monitor, which may not be on this page.
  const isOwn = monitor.id === monitorId;
  return title !== null && isOwn
    ? publicTitle(title, monitor, component.name)
    : `${component.name} is ${type === 'degraded' ? 'degraded' : 'down'}`;
}

function toPublic(statusPageId: string, row: Row, on: [PageComponent, ...PageComponent[]]): PublicIncident {
  const components = on.map(({ component }) => component);
  return {
    id: publicId(statusPageId, row.id),
    title: titleOf(row, on[0]),
    status: row.status,
    impact: row.type === 'downtime' ? 'down' : 'degraded',
    startedAt: row.startedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    component: components.map(({ name }) => name).join(', '),
    componentIds: components.map(({ id }) => id),
    updates: row.updates
      .flatMap(toPublicUpdate)
      .map((update) => ({ ...update, id: publicId(statusPageId, update.id) })),
  };
}

/** The incidents of a page's monitors with public texts, newest first. Certificate incidents are internal. */
export async function readIncidents(
  db: Db,
  { id, teamId }: { id: string; teamId: string },
  components: Map<string, PageComponent>,
  now: Date,
): Promise<{ openIncidents: PublicIncident[]; pastIncidents: PublicIncident[] }> {
  const monitorId = { in: [...components.keys()] };
  const where: Prisma.IncidentWhereInput = {
    ...{ teamId, type: { not: 'certificate' } },
    OR: [{ monitorId }, { furtherMonitors: { some: { monitorId } } }],
  };
  const orderBy = [{ startedAt: 'desc' as const }, { id: 'desc' as const }];
  const resolvedAt = { gte: new Date(now.getTime() - PAST_DAYS * DAY_MS) };
  const [open, past] = await Promise.all([
    db.incident.findMany({ where: { ...where, status: { not: 'resolved' } }, include, orderBy, take: MOST_OPEN }),
    db.incident.findMany({ where: { ...where, status: 'resolved', resolvedAt }, include, orderBy, take: MOST_PAST }),
  ]);
  const told = (rows: Row[]) =>
    rows.flatMap((row) => {
      const ids = [row.monitorId, ...row.furtherMonitors.map((each) => each.monitorId)];
      const [first, ...further] = ids.flatMap((each) => components.get(each ?? '') ?? []);
      return first ? [toPublic(id, row, [first, ...further])] : [];
    });
  return { openIncidents: told(open), pastIncidents: told(past) };
}
