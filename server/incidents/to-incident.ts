import type { Incident as IncidentRow } from '@/server/platform/generated/prisma/client';
import type { Incident } from './schema';

export type { IncidentRow };

/** A row as it leaves. */
export function toIncident(row: IncidentRow): Incident {
  return {
    id: row.id,
    monitorId: row.monitorId,
    teamId: row.teamId,
    type: row.type,
    status: row.status,
    title: row.title,
    startedAt: row.startedAt.toISOString(),
    resolvedAt: row.resolvedAt?.toISOString() ?? null,
    cause: row.cause,
    createdAt: row.createdAt.toISOString(),
  };
}
