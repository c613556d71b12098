import { type ZoneClock, zoneClock } from '@/server/time/zone-clock';
import type { Layer } from '../schema';
import type { Rota, Shift } from './rota';
import { allowedOn, dayOf, turnsOf } from './turns';

interface TimeRange {
  start: number;
  end: number;
}

interface Turn extends TimeRange {
  userId: string;
}

/** Returns the times in a range that the restrictions of a layer allow, in order and without overlaps; without restrictions, the whole range. */
function allowedIn({ restrictions }: Layer, clock: ZoneClock, { start, end }: TimeRange): TimeRange[] {
  if (restrictions.length === 0) return [{ start, end }];
  const found: TimeRange[] = [];
  const last = dayOf(end, clock);
  for (let day = dayOf(start, clock) - 1; day <= last; day += 1) {
    for (const restriction of restrictions) {
      const allowed = allowedOn(restriction, day, clock);
      if (allowed && allowed.end > allowed.start) found.push(allowed);
    }
  }
  const joined: TimeRange[] = [];
  for (const each of found.sort((a, b) => a.start - b.start)) {
    const before = joined.at(-1);
    if (before && each.start <= before.end) before.end = Math.max(before.end, each.end);
    else joined.push({ ...each });
  }
  return joined;
}

/**
 * Returns the turns of a layer in a range, in order, without those of people who have left. Finds the first one by arithmetic, so that the cost
 * depends on the length of the range and not on the layer's age.
 */
function turnsIn(layer: Layer, { timezone, members }: Rota, range: TimeRange): Turn[] {
  const allowed = allowedIn(layer, zoneClock(timezone), range);
  const { startOf, turnAt } = turnsOf(layer, timezone);
  const turns: Turn[] = [];
  let next = 0;
  let turn = Math.max(0, turnAt(range.start));
  for (let start = startOf(turn), end = start; start < range.end; turn += 1, start = end) {
    end = startOf(turn + 1);
    const userId = layer.userIds[turn % layer.userIds.length];
    while ((allowed[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    if (userId === undefined || !members.has(userId)) continue;
    for (let index = next; ; index += 1) {
      const stretch = allowed[index];
      if (!stretch || stretch.start >= end) break;
      const clipped = {
        start: Math.max(start, stretch.start, range.start),
        end: Math.min(end, stretch.end, range.end),
      };
      if (clipped.end > clipped.start) turns.push({ ...clipped, userId });
    }
  }
  return turns;
}

/** Joins adjacent shifts of the same person. */
function join(shifts: Shift[]): Shift[] {
  const joined: Shift[] = [];
  for (const shift of shifts) {
    const before = joined.at(-1);
    const isSame = before?.userId === shift.userId && before.isOverride === shift.isOverride;
    if (before && isSame) before.endsAt = shift.endsAt;
    else joined.push({ ...shift });
  }
  return joined;
}

/** Divides a range into shifts without gaps. In each, the first list that has somebody at that time determines who is on call. */
function combine(lists: { turns: Turn[]; isOverride: boolean }[], { start, end }: TimeRange): Shift[] {
  const edges = lists.flatMap(({ turns }) => turns.flatMap((turn) => [turn.start, turn.end]));
  const inside = edges.filter((edge) => edge > start && edge < end);
  const all = [...new Set([start, ...inside, end])].sort((a, b) => a - b);
  const places = lists.map(() => 0);
  const shifts = all.slice(0, -1).map((from, index) => {
    let found: { userId: string; isOverride: boolean } | null = null;
    for (const [list, { turns, isOverride }] of lists.entries()) {
      let place = places[list] ?? 0;
      while ((turns[place]?.end ?? Number.POSITIVE_INFINITY) <= from) place += 1;
      places[list] = place;
      const turn = turns[place];
      if (turn && turn.start <= from) {
        found = { userId: turn.userId, isOverride };
        break;
      }
    }
    const times = { startsAt: new Date(from), endsAt: new Date(all[index + 1] ?? end) };
    return { ...times, userId: found?.userId ?? null, isOverride: found?.isOverride ?? false };
  });
  return join(shifts);
}

/**
 * Returns the overrides in a range, in order and without overlaps; where several overlap, the latest applies. Takes linear time except for a sort.
 */
function coversIn({ overrides, members }: Rota, range: TimeRange): Turn[] {
  const inside = overrides.flatMap(({ userId, startsAt, endsAt }) => {
    const start = Math.max(range.start, startsAt.getTime());
    const end = Math.min(range.end, endsAt.getTime());
    return members.has(userId) && start < end ? [{ userId, start, end }] : [];
  });
  const edges = [...new Set(inside.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b);
  const places = new Map(edges.map((edge, place) => [edge, place]));
  /** For each edge, who has the time up to the next edge. */
  const holders: (string | undefined)[] = edges.map(() => undefined);
  /** For each index, the next unassigned one (union-find with path compression). */
  const nextFree = edges.map((_edge, place) => place);
  const freeFrom = (start: number): number => {
    let place = start;
    while ((nextFree[place] ?? place) !== place) {
      nextFree[place] = nextFree[nextFree[place] ?? place] ?? place;
      place = nextFree[place] ?? place;
    }
    return place;
  };
  for (const { userId, start, end } of inside.reverse()) {
    const last = places.get(end) ?? 0;
    for (let place = freeFrom(places.get(start) ?? 0); place < last; place = freeFrom(place)) {
      holders[place] = userId;
      nextFree[place] = place + 1;
    }
  }
  return holders.flatMap((userId, place) => {
    const [start, end] = [edges[place], edges[place + 1]];
    return userId === undefined || start === undefined || end === undefined ? [] : [{ userId, start, end }];
  });
}

/** Returns who is on call in a range: shifts in order that cover it without gaps, including times without anybody. Pure. */
export function timelineOf(rota: Rota, from: Date, to: Date): Shift[] {
  const range = { start: from.getTime(), end: to.getTime() };
  const layers = rota.layers.map((layer) => ({ turns: turnsIn(layer, rota, range), isOverride: false }));
  return combine([{ turns: coversIn(rota, range), isOverride: true }, ...layers], range);
}

/** Returns the shifts of one layer in a range as `timelineOf` does, without the other layers and overrides. */
export function layerTimelineOf(rota: Rota, layer: Layer, from: Date, to: Date): Shift[] {
  return timelineOf({ ...rota, layers: [layer], overrides: [] }, from, to);
}
