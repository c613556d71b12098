import type { Layer } from '../schema';
import type { Rota, Shift } from './rota';
import { allowedOn, dayOf, turnAt, turnStart } from './turns';

interface Stretch {
  start: number;
  end: number;
}

interface Turn extends Stretch {
  userId: string;
}

/** When the restrictions of a layer allow it, in order and without overlaps. */
function allowedIn({ restrictions }: Layer, timezone: string, { start, end }: Stretch): Stretch[] {
  if (restrictions.length === 0) return [{ start, end }];
  const found: Stretch[] = [];
  const last = dayOf(end, timezone);
  for (
    let date = dayOf(start, timezone).subtract({ days: 1 });
    date.until(last).days >= 0;
    date = date.add({ days: 1 })
  ) {
    for (const restriction of restrictions) {
      const allowed = allowedOn(restriction, date, timezone);
      if (allowed && allowed.end > allowed.start) found.push(allowed);
    }
  }
  const joined: Stretch[] = [];
  for (const each of found.sort((a, b) => a.start - b.start)) {
    const before = joined.at(-1);
    if (before && each.start <= before.end) before.end = Math.max(before.end, each.end);
    else joined.push({ ...each });
  }
  return joined;
}

/** The turns of a layer in a range, in order, without those of people who have left. */
function turnsOf(layer: Layer, { timezone, members }: Rota, range: Stretch): Turn[] {
  const allowed = allowedIn(layer, timezone, range);
  const turns: Turn[] = [];
  let next = 0;
  for (let turn = Math.max(0, turnAt(layer, timezone, range.start)); ; turn += 1) {
    const start = turnStart(layer, timezone, turn);
    if (start >= range.end) return turns;
    const end = turnStart(layer, timezone, turn + 1);
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
}

/** Joins neighbours with the same person. */
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

/** Stretches without gaps from one moment to another: in each, the first of the lists that has somebody. */
function combine(lists: { turns: Turn[]; isOverride: boolean }[], { start, end }: Stretch): Shift[] {
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

/** Each override is a list of its own, the latest first. */
function coversOf({ overrides, members }: Rota, { start, end }: Stretch) {
  return overrides
    .filter(
      ({ userId, startsAt, endsAt }) => members.has(userId) && startsAt.getTime() < end && endsAt.getTime() > start,
    )
    .map(({ userId, startsAt, endsAt }) => ({
      turns: [{ userId, start: Math.max(start, startsAt.getTime()), end: Math.min(end, endsAt.getTime()) }],
      isOverride: true,
    }))
    .reverse();
}

/** Who is on call in a range: shifts in order that cover it exactly, also where nobody is. Pure. */
export function timelineOf(rota: Rota, from: Date, to: Date): Shift[] {
  const range = { start: from.getTime(), end: to.getTime() };
  const layers = rota.layers.map((layer) => ({ turns: turnsOf(layer, rota, range), isOverride: false }));
  return combine([...coversOf(rota, range), ...layers], range);
}

/** The turns of one layer in a range, as `timelineOf` for the layer by itself. */
export function layerTimelineOf(rota: Rota, layer: Layer, from: Date, to: Date): Shift[] {
  return timelineOf({ ...rota, layers: [layer], overrides: [] }, from, to);
}
