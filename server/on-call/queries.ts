import type { Db, Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { Channel, OnCallOverride, OnCallSchedule } from '@/server/platform/generated/prisma/client';
import { takeLoopTurn } from '@/server/platform/loop-share';
import type { Rota, Shift as Turn } from './rota/rota';
import { shiftAt, shiftRange } from './rota/shift-at';
import { Layer, type Override, type Schedule, type Shift } from './schema';

export function scheduleNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such on-call schedule.');
}

/** Returns the shown names of a team's members (name or email) by user ID. */
export async function readNames(db: Db, teamId: string): Promise<Map<string, string>> {
  // Raw: one value, because a model call takes 30 ms of the thread for 3,000 members.
  const [row] = await db.$queryRaw<{ names: string | null }[]>`
    select json_agg(json_build_array(m.user_id, coalesce(u.name, u.email)) order by m.user_id)::text as names
    from memberships m join users u on u.id = m.user_id where m.team_id = ${teamId}`;
  return new Map(JSON.parse(row?.names ?? '[]') as [string, string][]);
}

/** The number of members whose contact methods are read together. Each has at most 10. */
const MEMBERS_AT_ONCE = 50;

const contactMethod = {
  id: true,
  ownerId: true,
  type: true,
  delayMinutes: true,
  failedAt: true,
  failingSince: true,
  deliveredAt: true,
} as const;

export type ContactMethodRow = Pick<Channel, keyof typeof contactMethod>;

/**
 * Reads the contact methods of members, by user ID and in the members' order. Members without one are missing. Takes turns with other teams, because
 * a team may have any number of members.
 */
export async function readContactMethods(
  db: Db,
  teamId: string,
  userIds: readonly string[],
): Promise<Map<string, ContactMethodRow[]>> {
  const methods = new Map<string, ContactMethodRow[]>();
  for (let at = 0; at < userIds.length; at += MEMBERS_AT_ONCE) {
    if (at > 0) await takeLoopTurn(teamId);
    const rows = await db.channel.findMany({
      where: { teamId, ownerId: { in: userIds.slice(at, at + MEMBERS_AT_ONCE) } },
      select: contactMethod,
      orderBy: [{ position: 'asc' }, { id: 'asc' }],
    });
    for (const row of rows) {
      if (row.ownerId === null) continue;
      const own = methods.get(row.ownerId) ?? [];
      methods.set(row.ownerId, own);
      own.push(row);
    }
  }
  return methods;
}

/** A schedule with everything that determines who is on call in a range. */
export interface LoadedSchedule {
  row: OnCallSchedule;
  rota: Rota;
  overrides: OnCallOverride[];
}

interface StoredOverride extends Omit<OnCallOverride, 'startsAt' | 'endsAt' | 'createdAt'> {
  startsAt: string;
  endsAt: string;
  createdAt: string;
}

/** Reads the overrides of schedules in a range. Returns a function that parses those of one schedule, oldest first; it may have a thousand. */
async function readOverrides(db: Db, ids: string[], { from, to }: { from: Date; to: Date }) {
  // Raw: one value per schedule, because a model call takes many times the CPU for thousands of rows.
  const rows = await db.$queryRaw<{ id: string; overrides: string }[]>`
    select schedule_id as id, json_agg(json_build_object(
      'id', id, 'teamId', team_id, 'scheduleId', schedule_id, 'userId', user_id, 'startsAt', starts_at, 'endsAt', ends_at,
      'reason', reason, 'createdById', created_by_id, 'createdAt', created_at) order by id)::text as overrides
    from on_call_overrides where schedule_id = any(${ids}::text[]) and ends_at > ${from} and starts_at < ${to} group by schedule_id`;
  const texts = new Map(rows.map((row) => [row.id, row.overrides]));
  return (id: string) =>
    (JSON.parse(texts.get(id) ?? '[]') as StoredOverride[]).map(({ startsAt, endsAt, createdAt, ...override }) => {
      return { ...override, startsAt: new Date(startsAt), endsAt: new Date(endsAt), createdAt: new Date(createdAt) };
    });
}

/** The number of schedules that are read together, with up to 1,000 overrides each. */
const READ_AT_ONCE = 10;

interface Asked {
  /** By default, all schedules of the team. */
  ids?: string[];
  from: Date;
  to: Date;
}

/**
 * Yields schedules of the team, newest first, with their overrides in a range. Takes a turn for each after the first, because a team may have 200
 * schedules, each with 1,000 overrides and 500 people. A transaction that reads one schedule does not wait for a turn while it has locks. A caller
 * that computes on all of them must take turns too and must not keep them, because a team's past overrides take 100 MB.
 */
export async function* eachSchedule(
  db: Db,
  teamId: string,
  { ids, from, to }: Asked,
  names: ReadonlyMap<string, string>,
): AsyncGenerator<LoadedSchedule> {
  const members = new Set(names.keys());
  let isFirst = true;
  for (let last: string | undefined, isMore = true; isMore; ) {
    const rows = await db.onCallSchedule.findMany({
      where: {
        teamId,
        AND: [...(ids ? [{ id: { in: ids } }] : []), ...(last === undefined ? [] : [{ id: { lt: last } }])],
      },
      orderBy: { id: 'desc' },
      take: READ_AT_ONCE,
    });
    isMore = rows.length === READ_AT_ONCE;
    last = rows.at(-1)?.id;
    if (rows.length === 0) return;
    const overridesOf = await readOverrides(
      db,
      rows.map(({ id }) => id),
      { from, to },
    );
    for (const row of rows) {
      if (!isFirst) await takeLoopTurn(teamId);
      isFirst = false;
      const overrides = overridesOf(row.id);
      const rota = { timezone: row.timezone, layers: Layer.array().parse(row.layers), overrides, members };
      yield { row, overrides, rota };
    }
  }
}

/**
 * Reads schedules as an array (see `eachSchedule`). Use it for few schedules, or a range from now on, because only 2,000 overrides can be unfinished.
 */
export async function loadSchedules(...asked: Parameters<typeof eachSchedule>): Promise<LoadedSchedule[]> {
  const loaded: LoadedSchedule[] = [];
  for await (const each of eachSchedule(...asked)) loaded.push(each);
  return loaded;
}

/** Increments the calendar revision of a schedule because its overrides change. */
export async function raiseSequence(tx: Tx, scheduleId: string): Promise<void> {
  // Raw: a model call would set `updated_at`, the version that edits of the schedule compare.
  await tx.$executeRaw`update on_call_schedules set sequence = sequence + 1 where id = ${scheduleId}`;
}

/** Maps a shift to the API form. */
export function toShift({ startsAt, endsAt, userId, isOverride }: Turn, names: ReadonlyMap<string, string>): Shift {
  return {
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    user: userId === null ? null : { id: userId, name: names.get(userId) ?? userId },
    isOverride,
  };
}

/** Maps a schedule to the API form, with the shift at `now`. */
export function toSchedule(loaded: LoadedSchedule, now: Date, names: ReadonlyMap<string, string>): Schedule {
  const { row, rota } = loaded;
  const { goesOn, ...turn } = shiftAt(rota, now);
  return {
    id: row.id,
    teamId: row.teamId,
    name: row.name,
    timezone: row.timezone,
    layers: rota.layers,
    externalId: row.externalId,
    now: toShift(turn, names),
    nextHandoffAt: goesOn ? null : turn.endsAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * Returns a schedule of the team.
 * @throws AppError NOT_FOUND
 */
export async function readSchedule(db: Db, teamId: string, id: string): Promise<Schedule> {
  const now = new Date();
  const names = await readNames(db, teamId);
  const [loaded] = await loadSchedules(db, teamId, { ids: [id], ...shiftRange(now) }, names);
  if (!loaded) throw scheduleNotFound();
  return toSchedule(loaded, now, names);
}

/** Maps an override to the API form. */
export function toOverride(row: OnCallOverride, names: ReadonlyMap<string, string>): Override {
  return {
    id: row.id,
    scheduleId: row.scheduleId,
    user: { id: row.userId, name: names.get(row.userId) ?? row.userId },
    startsAt: row.startsAt.toISOString(),
    endsAt: row.endsAt.toISOString(),
    reason: row.reason,
    createdAt: row.createdAt.toISOString(),
  };
}
