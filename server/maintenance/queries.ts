import { setImmediate } from 'node:timers/promises';
import { cutPage } from '@/server/lists/cut-page';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Prisma, MaintenanceWindow as Window } from '@/server/platform/generated/prisma/client';
import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { nextOccurrence, skippedOf, type Times } from './recurrence/recurrence';
import type { ListMaintenanceWindowsInput, MaintenanceWindow, Occurrence, WindowState } from './schema';

/** A window with the IDs of its monitors, of which there may be 1,000. */
type Row = Window & { monitorIds: string[] };

export function windowNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such maintenance window.');
}

/** An occurrence as returned by the API. */
export function toOccurrence({ startsAt, endsAt }: Period): Occurrence {
  return { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
}

async function withMonitorIds(db: Db, windows: Window[]): Promise<Row[]> {
  // Raw: a model call takes many times the CPU for thousands of rows.
  const rows = await db.$queryRaw<{ id: string; monitorIds: string }[]>`
    select maintenance_window_id as id, string_agg(monitor_id, ',' order by monitor_id) as "monitorIds"
    from maintenance_window_monitors where maintenance_window_id = any(${windows.map(({ id }) => id)}::text[])
    group by maintenance_window_id`;
  const idsById = new Map(rows.map(({ id, monitorIds }) => [id, monitorIds.split(',')]));
  return windows.map((window) => ({ ...window, monitorIds: idsById.get(window.id) ?? [] }));
}

export interface NamedMonitor {
  id: string;
  name: string;
}

export interface TaggedMonitor extends NamedMonitor {
  tags: string[];
}

/** The first monitors of each window by ID, at most `limit`. A team may have 1,000 windows with 1,000 monitors each. */
export async function readNamed(db: Db, windowIds: string[], limit: number): Promise<Map<string, NamedMonitor[]>> {
  // Raw: a limit for each window, and one value per window.
  const rows = await db.$queryRaw<{ id: string; monitors: NamedMonitor[] | null }[]>`
    select w.id, (
      select json_agg(json_build_object('id', m.id, 'name', m.name)) from (
        select monitor_id from maintenance_window_monitors n where n.maintenance_window_id = w.id order by monitor_id limit ${limit}::int
      ) first join monitors m on m.id = first.monitor_id
    ) as monitors
    from unnest(${windowIds}::text[]) w (id)`;
  return new Map(rows.map(({ id, monitors }) => [id, monitors ?? []]));
}

/** The monitors of a team with one of these tags, by name. */
export async function readTagged(db: Db, teamId: string, tags: string[]): Promise<TaggedMonitor[]> {
  if (tags.length === 0) return [];
  // Raw: one value, because a model call takes many times the CPU for thousands of rows.
  const [row] = await db.$queryRaw<{ monitors: string | null }[]>`
    select json_agg(json_build_object('id', id, 'name', name, 'tags', tags) order by name, id)::text as monitors
    from monitors where team_id = ${teamId} and tags && ${tags}::text[]`;
  return JSON.parse(row?.monitors ?? '[]');
}

function toWindow(row: Row): MaintenanceWindow {
  const now = new Date();
  const next = nextOccurrence(row, now);
  return {
    id: row.id,
    teamId: row.teamId,
    title: row.title,
    description: row.description,
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    recurrence: row.recurrence,
    timezone: row.timezone,
    monitorIds: row.allMonitors ? null : row.monitorIds,
    tags: row.tags,
    checks: row.checks,
    isAnnounced: row.isAnnounced,
    announceHours: row.announceHours,
    notifiesChannels: row.notifiesChannels,
    externalId: row.externalId,
    next: next && toOccurrence(next),
    skipped: skippedOf(row)
      .filter(({ startsAt }) => startsAt > now)
      .map(toOccurrence),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * A window of the team.
 * @throws AppError NOT_FOUND
 */
export async function readWindow(db: Db, teamId: string, id: string): Promise<MaintenanceWindow> {
  const found = await db.maintenanceWindow.findFirst({ where: { id, teamId } });
  const [row] = found ? await withMonitorIds(db, [found]) : [];
  if (!row) throw windowNotFound();
  return toWindow(row);
}

/** The IDs of recurring windows without further occurrences. */
async function readEnded(db: Db, teamId: string, now: Date): Promise<string[]> {
  // Only a rule with a count or a last date ends, and the rule has to be expanded to know when.
  const limits = [{ recurrence: { contains: 'COUNT=' } }, { recurrence: { contains: 'UNTIL=' } }];
  const limited = await db.maintenanceWindow.findMany({
    where: { teamId, OR: limits },
    select: {
      id: true,
      startsAt: true,
      endsAt: true,
      recurrence: true,
      timezone: true,
      changedStarts: true,
      changedEnds: true,
      skippedStarts: true,
    },
  });
  const ended: string[] = [];
  for (const { id, ...times } of limited) {
    if (await hasEnded(id, times, now)) ended.push(id);
  }
  return ended;
}

/** Caches whether a rule has ended, by the ID of its window, while the times stay the same and until its next occurrence ends. */
const known = new Map<string, { times: string; isEnded: boolean; until: number }>();
const MOST_KNOWN = 10_000;

/** Expanding the rule of a window may take a millisecond, and a team may have a thousand: the result is cached, and other requests run in between. */
async function hasEnded(id: string, times: Times, now: Date): Promise<boolean> {
  const text = JSON.stringify(times);
  const before = known.get(id);
  if (before?.times === text && now.getTime() < before.until) return before.isEnded;
  await setImmediate();
  const next = nextOccurrence(times, now);
  known.delete(id);
  // A rule without a date in the next ten years may still have one later.
  known.set(id, { times: text, isEnded: next === null, until: next?.endsAt.getTime() ?? now.getTime() + DAY_MS });
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return next === null;
}

/** The filter for windows in a state. */
async function isIn(db: Db, teamId: string, state: WindowState): Promise<Prisma.MaintenanceWindowWhereInput> {
  const now = new Date();
  const ended = await readEnded(db, teamId, now);
  return state === 'past'
    ? { OR: [{ recurrence: null, endsAt: { lte: now } }, { id: { in: ended } }] }
    : {
        OR: [
          { recurrence: null, endsAt: { gt: now } },
          { recurrence: { not: null }, id: { notIn: ended } },
        ],
      };
}

/** A page of the team's windows, newest first. The cursor is the last ID of the previous page. */
export async function listWindows(
  db: Db,
  teamId: string,
  { limit, cursor, externalId, state }: ListMaintenanceWindowsInput,
): Promise<{ maintenanceWindows: MaintenanceWindow[]; nextCursor: string | null }> {
  const rows = await db.maintenanceWindow.findMany({
    where: {
      teamId,
      ...(cursor !== undefined && { id: { lt: cursor } }),
      ...(externalId !== undefined && { externalId }),
      ...(state && { AND: await isIn(db, teamId, state) }),
    },
    orderBy: { id: 'desc' },
    take: limit + 1,
  });
  const { page, nextCursor } = cutPage(rows, limit);
  const maintenanceWindows: MaintenanceWindow[] = [];
  for (const row of await withMonitorIds(db, page)) {
    // Yields to other requests, because a rule is expanded for up to ten years.
    await setImmediate();
    maintenanceWindows.push(toWindow(row));
  }
  return { maintenanceWindows, nextCursor };
}
