import { type Db, readRows } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import { Prisma } from '@/server/platform/generated/prisma/client';
import { maskConfig } from './config-secrets';
import { pingUrlOf } from './ping-url';
import type { Monitor } from './schema';

/** What a row must be read with to become a `Monitor`. */
export const monitorInclude = {
  state: { select: { status: true, lastCheckedAt: true } },
  channels: { select: { channelId: true } },
} satisfies Prisma.MonitorInclude;

type Row = Prisma.MonitorGetPayload<{ include: typeof monitorInclude }>;

/** What a `Monitor` is made of; times are ISO 8601 in UTC. */
type Facts = Omit<Monitor, 'isActive' | 'channelIds' | 'config'> &
  Pick<Row, 'isActive' | 'allChannels' | 'config' | 'pingToken'> & { channelIds: string[] };

export function monitorNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such monitor.');
}

function configOf({ type, config, pingToken }: Facts): Monitor['config'] {
  const masked = maskConfig(type, config);
  const pingUrl = pingUrlOf({ pingToken });
  return pingUrl === null ? masked : { ...masked, pingUrl };
}

function fromFacts(facts: Facts): Monitor {
  return {
    id: facts.id,
    teamId: facts.teamId,
    type: facts.type,
    name: facts.name,
    config: configOf(facts),
    intervalSeconds: facts.intervalSeconds,
    status: facts.status,
    isActive: facts.isActive ? 1 : 0,
    tags: facts.tags,
    channelIds: facts.allChannels ? null : facts.channelIds.sort(),
    regions: facts.regions,
    externalId: facts.externalId,
    lastCheckedAt: facts.lastCheckedAt,
    createdAt: facts.createdAt,
    updatedAt: facts.updatedAt,
  };
}

/** A row as it may leave: secrets masked, times as text. */
export function toMonitor(row: Row): Monitor {
  return fromFacts({
    ...row,
    status: row.state?.status ?? 'pending',
    lastCheckedAt: row.state?.lastCheckedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    channelIds: row.channels.map(({ channelId }) => channelId),
  });
}

/** A time as PostgreSQL writes it into JSON in a session in UTC ("2026-11-20T03:07:12.5+00:00"), with milliseconds. */
function toIso(text: string): string {
  return `${text.slice(0, 19)}.${text.slice(20, -6).padEnd(3, '0')}Z`;
}

/**
 * Monitors with all a `Monitor` has, newest first, in one statement that answers one text: an `include` would be a
 * statement for each table, and fifty rows of single values cost more to take apart than all else in a request.
 */
async function readMany(db: Db, condition: Prisma.Sql, limit: number): Promise<Monitor[]> {
  const [answer] = await readRows<{ page: string | null }>(
    db,
    Prisma.sql`
    select json_agg(row)::text as page from (
      select m.id, m.team_id as "teamId", m.type, m.name, m.config, m.interval_seconds as "intervalSeconds",
        m.is_active as "isActive", m.tags, m.all_channels as "allChannels", m.regions, m.external_id as "externalId",
        m.ping_token as "pingToken", m.created_at as "createdAt", m.updated_at as "updatedAt",
        coalesce(s.status, 'pending') as status, s.last_checked_at as "lastCheckedAt",
        case when m.all_channels then '{}'
          else array(select c.channel_id from monitor_channels c where c.monitor_id = m.id) end as "channelIds"
      from monitors m left join monitor_states s on s.monitor_id = m.id
      where ${condition} order by m.id desc limit ${limit}
    ) row`,
  );
  const rows: Facts[] = answer?.page ? JSON.parse(answer.page) : [];
  return rows.map((row) => {
    row.createdAt = toIso(row.createdAt);
    row.updatedAt = toIso(row.updatedAt);
    row.lastCheckedAt &&= toIso(row.lastCheckedAt);
    return fromFacts(row);
  });
}

/** A monitor of the team. @throws AppError NOT_FOUND */
export async function readMonitor(db: Db, teamId: string, id: string): Promise<Monitor> {
  const [monitor] = await readMany(db, Prisma.sql`m.id = ${id} and m.team_id = ${teamId}`, 1);
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
  const monitors = await readMany(db, Prisma.sql`m.team_id = ${teamId} ${after}`, limit + 1);
  const page = monitors.slice(0, limit);
  return { monitors: page, nextCursor: monitors.length > limit ? (page.at(-1)?.id ?? null) : null };
}
