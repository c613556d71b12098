import type { Db, Tx } from '@/server/platform/db';
import { AppError } from '@/server/platform/errors';
import type { OnCallOverride, OnCallSchedule } from '@/server/platform/generated/prisma/client';
import type { Rota, Shift as Turn } from './rota/rota';
import { shiftAt, shiftRange } from './rota/shift-at';
import { Layer, type Override, type Schedule, type Shift } from './schema';

export function scheduleNotFound(): AppError {
  return new AppError('NOT_FOUND', 'There is no such on-call schedule.');
}

/** The members of a team by ID, with the names that are shown. */
export async function readNames(db: Db, teamId: string): Promise<Map<string, string>> {
  const rows = await db.membership.findMany({
    where: { teamId },
    select: { userId: true, user: { select: { name: true, email: true } } },
    orderBy: { userId: 'asc' },
  });
  return new Map(rows.map(({ userId, user }) => [userId, user.name ?? user.email]));
}

/** A schedule with everything that determines who is on call in a range. */
export interface LoadedSchedule {
  row: OnCallSchedule;
  rota: Rota;
  overrides: OnCallOverride[];
}

/** Schedules of the team, newest first, with their overrides in a range. */
export async function loadSchedules(
  db: Db,
  teamId: string,
  { ids, from, to }: { ids?: string[]; from: Date; to: Date },
  names: ReadonlyMap<string, string>,
): Promise<LoadedSchedule[]> {
  const rows = await db.onCallSchedule.findMany({
    where: { teamId, ...(ids && { id: { in: ids } }) },
    include: { overrides: { where: { endsAt: { gt: from }, startsAt: { lt: to } }, orderBy: { id: 'asc' } } },
    orderBy: { id: 'desc' },
  });
  const members = new Set(names.keys());
  return rows.map(({ overrides, ...row }) => ({
    row,
    overrides,
    rota: { timezone: row.timezone, layers: Layer.array().parse(row.layers), overrides, members },
  }));
}

/** Increments the calendar revision of a schedule because its overrides change. */
export async function raiseSequence(tx: Tx, scheduleId: string): Promise<void> {
  // Raw: a model call would set `updated_at`, the version that edits of the schedule compare.
  await tx.$executeRaw`update on_call_schedules set sequence = sequence + 1 where id = ${scheduleId}`;
}

/** A shift as returned by the API. */
export function toShift({ startsAt, endsAt, userId, isOverride }: Turn, names: ReadonlyMap<string, string>): Shift {
  return {
    startsAt: startsAt.toISOString(),
    endsAt: endsAt.toISOString(),
    user: userId === null ? null : { id: userId, name: names.get(userId) ?? userId },
    isOverride,
  };
}

/** A schedule as returned by the API. */
export function toSchedule(loaded: LoadedSchedule, now: Date, names: ReadonlyMap<string, string>): Schedule {
  const { row, rota } = loaded;
  const { goesOn, ...turn } = shiftAt(rota, now);
  return {
    id: row.id,
    teamId: row.teamId,
    name: row.name,
    timezone: row.timezone,
    layers: rota.layers,
    now: toShift(turn, names),
    nextHandoffAt: goesOn ? null : turn.endsAt.toISOString(),
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/**
 * A schedule of the team.
 * @throws AppError NOT_FOUND
 */
export async function readSchedule(db: Db, teamId: string, id: string): Promise<Schedule> {
  const now = new Date();
  const names = await readNames(db, teamId);
  const [loaded] = await loadSchedules(db, teamId, { ids: [id], ...shiftRange(now) }, names);
  if (!loaded) throw scheduleNotFound();
  return toSchedule(loaded, now, names);
}

/** An override as returned by the API. */
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
