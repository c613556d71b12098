import type { Incident as IncidentRow, IncidentUpdate as UpdateRow } from '@/server/platform/generated/prisma/client';
import type { Incident, IncidentUpdate } from './schema';

export type { IncidentRow };

/** Maps a row to the API form. */
export function toIncident(row: IncidentRow): Incident {
  return {
    id: row.id,
    monitorId: row.monitorId,
    teamId: row.teamId,
    type: row.type,
    status: row.status,
    severity: row.severity,
    title: row.title,
    startedAt: row.startedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    cause: row.cause,
    createdAt: row.createdAt.toISOString(),
  };
}

/** Maps an update to the API form. */
export function toUpdate({ id, kind, message, authorName, isPublic, at }: UpdateRow): IncidentUpdate {
  return { id, kind, message, authorName, isPublic, at: at.toISOString() };
}
