import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import type { Incident, IncidentDetail, IncidentListRow, ListIncidentsInput } from './schema';
import { toIncident } from './to-incident';

export function incidentNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such incident.');
}

function statusFilter(status: ListIncidentsInput['status']): Prisma.IncidentWhereInput {
  if (status === undefined) return {};
  return { status: status === 'unresolved' ? { not: 'resolved' } : status };
}

/** A page of the team's incidents, latest first. The cursor is "<startedAt>_<id>" of the last one of the page before. */
export async function listIncidents(
  db: Db,
  teamId: string,
  { limit, cursor, status, monitorId }: ListIncidentsInput,
): Promise<{ incidents: IncidentListRow[]; nextCursor: string | null }> {
  const rows = await db.incident.findMany({
    where: { teamId, ...statusFilter(status), ...(monitorId !== undefined && { monitorId }), ...after(cursor) },
    include: { monitor: { select: { name: true } } },
    orderBy: [{ startedAt: 'desc' }, { id: 'desc' }],
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return {
    incidents: page.map((row) => ({ ...toIncident(row), monitorName: row.monitor?.name ?? null })),
    nextCursor: rows.length > limit && last ? `${last.startedAt.toISOString()}_${last.id}` : null,
  };
}

function after(cursor: string | undefined): Prisma.IncidentWhereInput {
  if (cursor === undefined) return {};
  const [time = '', id = ''] = cursor.split('_');
  const startedAt = new Date(time);
  if (Number.isNaN(startedAt.getTime())) {
    throw new AppError('VALIDATION_ERROR', 'This is not a cursor of this list.', {
      issues: [{ path: 'cursor', message: 'Use the nextCursor of the page before.' }],
    });
  }
  return { OR: [{ startedAt: { lt: startedAt } }, { startedAt, id: { lt: id } }] };
}

/** An incident of the team. @throws AppError NOT_FOUND */
export async function readIncident(db: Db, teamId: string, id: string): Promise<Incident> {
  const row = await db.incident.findFirst({ where: { id, teamId } });
  if (!row) throw incidentNotFound();
  return toIncident(row);
}

/** All an incident's page shows: its story and who was told. @throws AppError NOT_FOUND */
export async function readIncidentDetail(db: Db, teamId: string, id: string): Promise<IncidentDetail> {
  const row = await db.incident.findFirst({
    where: { id, teamId },
    include: {
      monitor: { select: { name: true, type: true, state: { select: { status: true, lastError: true } } } },
      updates: { orderBy: [{ at: 'asc' }, { id: 'asc' }], take: 200 },
      deliveries: {
        orderBy: { id: 'asc' },
        take: 200,
        include: {
          channel: { select: { name: true, type: true } },
          attempts: { orderBy: { at: 'desc' }, take: 1 },
          _count: { select: { attempts: true } },
        },
      },
    },
  });
  if (!row) throw incidentNotFound();
  return {
    incident: toIncident(row),
    monitor: row.monitor && {
      name: row.monitor.name,
      type: row.monitor.type,
      status: row.monitor.state?.status ?? 'pending',
      lastError: row.monitor.state?.lastError ?? null,
    },
    updates: row.updates.map(({ incidentId: _incident, at, ...update }) => ({ ...update, at: at.toISOString() })),
    messages: row.deliveries.map(({ id: messageId, event, status, channel, attempts, nextAttemptAt, _count }) => ({
      id: messageId,
      event,
      status,
      channelName: channel.name,
      channelType: channel.type,
      attempts: _count.attempts,
      lastAttemptAt: attempts[0]?.at.toISOString() ?? null,
      lastError: attempts[0]?.error ?? null,
      nextAttemptAt: nextAttemptAt?.toISOString() ?? null,
    })),
  };
}
