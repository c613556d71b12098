import { DAY_MS } from '@/server/time/schema';
import { changesPerDay } from '../schema';
import type { Rota, Shift } from './rota';
import { timelineOf } from './timeline';

/** The maximum number of days before and after a given time in which the start and the end of a shift are searched. */
const SHIFT_DAYS = 14;
/**
 * The maximum number of changes that are searched: enough for two weeks before and after of any layers that can be saved. Earlier versions saved
 * layers that change more often; fewer days are searched for them.
 */
const MOST_CHANGES = 1_400;

/** Returns how many days before and after a given time are searched. */
const reachOf = ({ layers }: Rota) => Math.min(SHIFT_DAYS, MOST_CHANGES / 2 / changesPerDay(layers));

/** Returns the range from `days` before a given time to `days` after it; by default the longest range that `shiftAt` searches. */
export function shiftRange(at: Date, days = SHIFT_DAYS): { from: Date; to: Date } {
  return { from: new Date(at.getTime() - days * DAY_MS), to: new Date(at.getTime() + days * DAY_MS) };
}

/**
 * Returns the shift at a given time, cut off at two weeks before and after; `goesOn` if it does not end within them. Computes the nearest days first,
 * because most shifts are short. Pure.
 */
export function shiftAt(rota: Rota, at: Date): Shift & { goesOn: boolean } {
  const most = reachOf(rota);
  for (const days of [1, 4]) {
    if (days >= most) break;
    const { from, to } = shiftRange(at, days);
    const shift = shiftIn(rota, at, from, to);
    if (shift.startsAt > from && shift.endsAt < to) return { ...shift, goesOn: false };
  }
  const { from, to } = shiftRange(at, most);
  const shift = shiftIn(rota, at, from, to);
  return { ...shift, goesOn: shift.endsAt >= to };
}

/** Returns the shift at a given time, cut off at the ends of a range. */
function shiftIn(rota: Rota, at: Date, from: Date, to: Date): Shift {
  const shift = timelineOf(rota, from, to).find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  if (!shift) throw new Error('A timeline covers its range.');
  return shift;
}
