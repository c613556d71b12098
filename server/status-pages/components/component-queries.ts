import { cutPage } from '@/server/lists/cut-page';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { ListComponentsInput, StatusPageComponent } from '../schema';
import { componentStatus } from './component-status';

const include = {
  statusPage: { select: { title: true } },
  incidents: {
    where: { incident: { status: { not: 'resolved' } } },
    select: { incident: { select: { severity: true } } },
  },
} satisfies Prisma.StatusPageComponentInclude;

type Row = Prisma.StatusPageComponentGetPayload<{ include: typeof include }>;

export function componentNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such component.');
}

function toComponent({ statusPage, incidents, ...row }: Row): StatusPageComponent {
  return {
    id: row.id,
    statusPageId: row.statusPageId,
    statusPageTitle: statusPage.title,
    name: row.name,
    description: row.description,
    status: componentStatus(incidents.map(({ incident }) => incident.severity)),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * A component of a status page of the team.
 * @throws AppError NOT_FOUND
 */
export async function readComponent(db: Db, teamId: string, id: string): Promise<StatusPageComponent> {
  const row = await db.statusPageComponent.findFirst({ where: { id, statusPage: { teamId } }, include });
  if (!row) throw componentNotFound();
  return toComponent(row);
}

/** The components of a page of the team, in its order. */
export async function readComponentsOf(db: Db, teamId: string, statusPageId: string): Promise<StatusPageComponent[]> {
  const rows = await db.statusPageComponent.findMany({
    where: { statusPageId, statusPage: { teamId } },
    include,
    orderBy: [{ position: 'asc' }, { id: 'asc' }],
  });
  return rows.map(toComponent);
}

/** One page of the list of the team's components, newest first. The cursor is the last ID of the previous page. */
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
  return { components: page.map(toComponent), nextCursor };
}

/** Limited because any number can exist; open pages show the latest. */
const MOST_NAMING = 500;

/** The IDs of the latest incidents that name a component, or any component of a status page. */
export async function incidentsNaming(db: Db, component: { id: string } | { statusPageId: string }): Promise<string[]> {
  const rows = await db.incidentComponent.findMany({
    where: { component },
    select: { incidentId: true },
    orderBy: { incidentId: 'desc' },
    take: MOST_NAMING,
  });
  return [...new Set(rows.map(({ incidentId }) => incidentId))];
}
