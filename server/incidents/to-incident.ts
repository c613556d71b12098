import type { Prisma, IncidentUpdate as UpdateRow } from '@/server/platform/generated/prisma/client';
import type { Incident, IncidentUpdate, NamedComponent } from './schema';

/** Selects rows whose monitor or component exists; a job deletes the others. Names a field, because Prisma drops a relation condition without one. */
const isLeft = { id: { not: '' } };

/** The further monitors and the components that exist, in a fixed order. */
export const ofExisting = {
  monitors: { where: { monitor: isLeft }, orderBy: { monitorId: 'asc' } },
  components: { where: { component: isLeft }, orderBy: { componentId: 'asc' } },
} satisfies Record<string, Prisma.IncidentMonitorFindManyArgs | Prisma.IncidentComponentFindManyArgs>;

/** The relations needed to map a row to an `Incident`. */
export const incidentInclude = {
  furtherMonitors: { ...ofExisting.monitors, select: { monitorId: true } },
  components: {
    ...ofExisting.components,
    select: {
      component: { select: { id: true, name: true, statusPageId: true, statusPage: { select: { title: true } } } },
    },
  },
} satisfies Prisma.IncidentInclude;

export type IncidentRow = Prisma.IncidentGetPayload<{ include: typeof incidentInclude }>;

/** Returns the monitors of an incident, the first one first. */
export function monitorIdsOf({ monitorId, furtherMonitors }: IncidentRow): string[] {
  const further = furtherMonitors.map((each) => each.monitorId);
  return monitorId === null ? further : [monitorId, ...further];
}

/** Returns the components that an incident names. */
export function componentsOf({ components }: Pick<IncidentRow, 'components'>): NamedComponent[] {
  return components.map(({ component: { statusPage, ...component } }) => ({
    ...component,
    statusPageTitle: statusPage.title,
  }));
}

/** Maps a row to the API form. */
export function toIncident(row: IncidentRow): Incident {
  const monitorIds = monitorIdsOf(row);
  return {
    id: row.id,
    monitorId: monitorIds[0] ?? null,
    monitorIds,
    components: componentsOf(row),
    teamId: row.teamId,
    type: row.type,
    status: row.status,
    severity: row.severity,
    title: row.title,
    startedAt: row.startedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    cause: row.cause,
    assigneeId: row.assigneeId,
    parentIncidentId: row.parentIncidentId,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Maps an update to the API form. */
export function toUpdate({ id, kind, message, authorName, isPublic, at }: UpdateRow): IncidentUpdate {
  return { id, kind, message, authorName, isPublic, at: at.toISOString() };
}
