import { cutPage } from '@/server/lists/cut-page';
import type { Db } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Prisma, MaintenanceWindow as Window } from '@/server/platform/generated/prisma/client';
import { takeLoopTurn } from '@/server/platform/loop-share';
import type { Period } from '@/server/time/edges';
import { DAY_MS } from '@/server/time/schema';
import { type ListedWindow, readWindows, withChanges, withoutChanges } from './listed-windows';
import { nextOccurrence, skippedOf, type Times } from './recurrence/recurrence';
import type { ListMaintenanceWindowsInput, MaintenanceWindow, Occurrence, WindowState } from './schema';

/** A window with the IDs of its monitors, of which there may be 1,000. */
type Row = Omit<Window, 'announced'> & { monitorIds: string[] };

export function windowNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such maintenance window.');
}

/** Maps an occurrence to the API form. */
export function toOccurrence({ startsAt, endsAt }: Period): Occurrence {
  return { startsAt: startsAt.toISOString(), endsAt: endsAt.toISOString() };
}

async function withMonitorIds(db: Db, windows: Omit<Row, 'monitorIds'>[]): Promise<Row[]> {
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

/** Reads the first `limit` named monitors of each window, by window. A team may have 1,000 windows with 1,000 monitors each. */
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

/** Reads the monitors of a team with any of these tags, ordered by name. */
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
 * Returns a window of the team.
 * @throws AppError NOT_FOUND
 */
export async function readWindow(db: Db, teamId: string, id: string): Promise<MaintenanceWindow> {
  const found = await db.maintenanceWindow.findFirst({ where: { id, teamId } });
  const [row] = found ? await withMonitorIds(db, [found]) : [];
  if (!row) throw windowNotFound();
  return toWindow(row);
}

/** Returns the IDs of recurring windows without further occurrences. */
async function readEnded(db: Db, teamId: string, now: Date): Promise<string[]> {
  // Only a rule with a count or a last date ends, and the rule has to be expanded to know when.
  const limits = { OR: [{ recurrence: { contains: 'COUNT=' } }, { recurrence: { contains: 'UNTIL=' } }] };
  const ended: string[] = [];
  for await (const windows of readWindows(db, teamId, limits)) {
    const missing: ListedWindow[] = [];
    for (const window of windows) {
      const before = known.get(window.id);
      const isValid = before?.version === window.updatedAt.getTime() && now.getTime() < before.until;
      if (!isValid) missing.push(window);
      else if (before.isEnded) ended.push(window.id);
    }
    for (const window of await withChanges(db, missing)) {
      await takeLoopTurn(teamId);
      if (hasEnded(window, now)) ended.push(window.id);
    }
  }
  return ended;
}

/** Caches whether rules have ended, by window. An entry is valid for one version of the window and until its next occurrence ends. */
const known = new Map<string, { version: number; isEnded: boolean; until: number }>();
const MOST_KNOWN = 10_000;

/** Returns whether a rule has no further occurrence, and caches that, because expanding a rule takes milliseconds and a team may have a thousand. */
function hasEnded({ id, updatedAt, ...times }: ListedWindow & Times, now: Date): boolean {
  const next = nextOccurrence(times, now);
  known.delete(id);
  // A rule without a date in the next ten years may still have one later.
  const until = next?.endsAt.getTime() ?? now.getTime() + DAY_MS;
  known.set(id, { version: updatedAt.getTime(), isEnded: next === null, until });
  const [oldest] = known.keys();
  if (known.size > MOST_KNOWN && oldest !== undefined) known.delete(oldest);
  return next === null;
}

/** Returns the condition that matches the windows in a state. */
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

/** The maximum number of skipped occurrences on a page. A page has at least one window, even if that has more. */
const MOST_SKIPPED = 4_000;

/** Returns how many of the windows, from the first on, fit on a page: together they have at most `MOST_SKIPPED` skipped occurrences. */
function countFitting(windows: Pick<Window, 'skippedStarts'>[]): number {
  let sum = 0;
  const large = windows.findIndex(({ skippedStarts }) => {
    sum += skippedStarts.length;
    return sum > MOST_SKIPPED;
  });
  return large === -1 ? windows.length : Math.max(1, large);
}

/** Returns a page of the team's windows, newest first. The cursor is the last ID of the previous page. */
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
    omit: withoutChanges,
  });
  const windows = await withChanges(db, rows);
  const { page, nextCursor } = cutPage(windows, Math.min(limit, countFitting(windows)));
  const maintenanceWindows: MaintenanceWindow[] = [];
  for (const row of await withMonitorIds(db, page)) {
    await takeLoopTurn(teamId);
    maintenanceWindows.push(toWindow(row));
  }
  return { maintenanceWindows, nextCursor };
}
