import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { type MonitorStatus, Prisma } from '@/server/platform/generated/prisma/client';
import { maskConfig } from './config-secrets';
import { pingUrlOf } from './ping-url';
import type { Monitor } from './schema';

/** What a row must be read with to become a `Monitor`. */
export const monitorInclude = {
  state: { select: { status: true, lastCheckedAt: true } },
  channels: { select: { channelId: true } },
} satisfies Prisma.MonitorInclude;

type Full = Prisma.MonitorGetPayload<{ include: typeof monitorInclude }>;
/** Of a row, what a `Monitor` is made of. */
type Row = Omit<Full, 'num' | 'version' | 'pingTokenHash'>;

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

/** A row as PostgreSQL writes it into JSON: times are text, and the state and the channels stand beside the rest. */
type Flat = Omit<Row, 'state' | 'channels' | 'createdAt' | 'updatedAt'> & {
  createdAt: string;
  updatedAt: string;
  status: MonitorStatus;
  lastCheckedAt: string | null;
  channelIds: string[];
};

function fromFlat({ createdAt, updatedAt, status, lastCheckedAt, channelIds, ...row }: Flat): Monitor {
  return toMonitor({
    ...row,
    createdAt: new Date(createdAt),
    updatedAt: new Date(updatedAt),
    state: { status, lastCheckedAt: lastCheckedAt === null ? null : new Date(lastCheckedAt) },
    channels: channelIds.map((channelId) => ({ channelId })),
  });
}

/**
 * Monitors with all a `Monitor` has, newest first, in one statement that answers one text: an `include` would be a
 * statement for each table, and fifty rows of single values cost more to take apart than all else in a request.
 */
async function readFlat(db: Db, condition: Prisma.Sql, limit: number): Promise<Monitor[]> {
  const [answer] = await db.$queryRaw<{ page: string | null }[]>`
    select json_agg(row)::text as page from (
      select m.id, m.team_id as "teamId", m.type, m.name, m.config, m.interval_seconds as "intervalSeconds",
        m.is_active as "isActive", m.tags, m.all_channels as "allChannels", m.external_id as "externalId",
        m.ping_token as "pingToken", m.created_at as "createdAt", m.updated_at as "updatedAt",
        coalesce(s.status, 'pending') as status, s.last_checked_at as "lastCheckedAt",
        case when m.all_channels then '{}'
          else array(select c.channel_id from monitor_channels c where c.monitor_id = m.id) end as "channelIds"
      from monitors m left join monitor_states s on s.monitor_id = m.id
      where ${condition} order by m.id desc limit ${limit}
    ) row`;
  return answer?.page ? (JSON.parse(answer.page) as Flat[]).map(fromFlat) : [];
}

/** A monitor of the team. @throws AppError NOT_FOUND */
export async function readMonitor(db: Db, teamId: string, id: string): Promise<Monitor> {
  const [monitor] = await readFlat(db, Prisma.sql`m.id = ${id} and m.team_id = ${teamId}`, 1);
  if (!monitor) throw monitorNotFound();
  return monitor;
}

/** A page of the team's monitors, newest first. The cursor is the last id of the page before. */
export async function listMonitors(
  db: Db,
  teamId: string,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<{ monitors: Monitor[]; nextCursor: string | null }> {
  const after = cursor === undefined ? Prisma.empty : Prisma.sql`and m.id < ${cursor}`;
  const monitors = await readFlat(db, Prisma.sql`m.team_id = ${teamId} ${after}`, limit + 1);
  const page = monitors.slice(0, limit);
  return { monitors: page, nextCursor: monitors.length > limit ? (page.at(-1)?.id ?? null) : null };
}
