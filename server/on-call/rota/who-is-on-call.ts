import { zoneClock } from '@/server/time/zone-clock';
import type { Layer } from '../schema';
import type { Rota } from './rota';
import { allowedOn, dayOf, turnsOf } from './turns';

function isAllowed({ restrictions }: Layer, timezone: string, at: number): boolean {
  if (restrictions.length === 0) return true;
  const clock = zoneClock(timezone);
  const today = dayOf(at, clock);
  // A range that began yesterday may last until today.
  return [today, today - 1].some((day) =>
    restrictions.some((restriction) => {
      const allowed = allowedOn(restriction, day, clock);
      return allowed !== null && allowed.start <= at && at < allowed.end;
    }),
  );
}

/** Returns who has the turn of a layer at a given time; null if nobody has, or the person has left the team. */
function onLayer(layer: Layer, { timezone, members }: Rota, at: number): string | null {
  const turn = turnsOf(layer, timezone).turnAt(at);
  if (turn < 0 || !isAllowed(layer, timezone, at)) return null;
  const userId = layer.userIds[turn % layer.userIds.length];
  return userId !== undefined && members.has(userId) ? userId : null;
}

/** Returns who is on call at a given time: by the latest override, otherwise by the highest layer that has a person; null if nobody is. Pure. */
export function whoIsOnCall(rota: Rota, at: Date): string | null {
  const cover = rota.overrides.findLast(
    ({ userId, startsAt, endsAt }) => rota.members.has(userId) && startsAt <= at && at < endsAt,
  );
  if (cover) return cover.userId;
  for (const layer of rota.layers) {
    const userId = onLayer(layer, rota, at.getTime());
    if (userId !== null) return userId;
  }
  return null;
}
