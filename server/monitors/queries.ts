import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Prisma } from '@/server/platform/generated/prisma/client';
import { maskConfig } from './config-secrets';
import { pingUrlOf } from './ping-url';
import type { Monitor } from './schema';

/** What a row must be read with to become a `Monitor`. */
export const monitorInclude = {
  state: { select: { status: true, lastCheckedAt: true } },
  channels: { select: { channelId: true } },
} satisfies Prisma.MonitorInclude;

type Row = Prisma.MonitorGetPayload<{ include: typeof monitorInclude }>;

export function monitorNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such monitor.');
}

function configOf(row: Row): Monitor['config'] {
  const pingUrl = pingUrlOf(row);
  return { ...maskConfig(row.type, row.config), ...(pingUrl !== null && { pingUrl }) };
}

/** A row as it may leave: secrets masked, times as text. */
export function toMonitor(row: Row): Monitor {
  return {
    id: row.id,
    teamId: row.teamId,
    type: row.type,
    name: row.name,
    config: configOf(row),
    intervalSeconds: row.intervalSeconds,
    status: row.state?.status ?? 'pending',
    isActive: row.isActive ? 1 : 0,
    tags: row.tags,
    channelIds: row.allChannels ? null : row.channels.map(({ channelId }) => channelId).sort(),
    externalId: row.externalId,
    lastCheckedAt: row.state?.lastCheckedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A monitor of the team. @throws AppError NOT_FOUND */
export async function readMonitor(db: Db, teamId: string, id: string): Promise<Monitor> {
  const row = await db.monitor.findFirst({ where: { id, teamId }, include: monitorInclude });
  if (!row) throw monitorNotFound();
  return toMonitor(row);
}

/** A page of the team's monitors, newest first. The cursor is the last id of the page before. */
export async function listMonitors(
  db: Db,
  teamId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ monitors: Monitor[]; nextCursor: string | null }> {
  const rows = await db.monitor.findMany({
    where: { teamId, ...(cursor !== undefined && { id: { lt: cursor } }) },
    include: monitorInclude,
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const page = rows.slice(0, limit);
  return { monitors: page.map(toMonitor), nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}
