import { DAY_MS } from '@/server/time/schema';
import { changesPerDay } from '../schema';
import type { Rota, Shift } from './rota';
import { timelineOf } from './timeline';

/** How many days before and after a given time a shift is followed. */
const SHIFT_DAYS = 14;
/**
 * Covers two weeks before and after for any layers that can be saved. Layers saved by earlier versions may change more often; fewer days are
 * followed for them.
 */
const MOST_CHANGES = 1_400;

/** How many days on each side a shift is followed. */
const reachOf = ({ layers }: Rota) => Math.min(SHIFT_DAYS, MOST_CHANGES / 2 / changesPerDay(layers));

/** The range from `days` before a given time to `days` after it; by default the longest range that `shiftAt` searches. */
export function shiftRange(at: Date, days = SHIFT_DAYS): { from: Date; to: Date } {
  return { from: new Date(at.getTime() - days * DAY_MS), to: new Date(at.getTime() + days * DAY_MS) };
}

/**
 * The shift at a given time, followed for at most two weeks before and after; `goesOn` if it lasts longer. Computes the nearest days first, because
 * most shifts are short. Pure.
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

function shiftIn(rota: Rota, at: Date, from: Date, to: Date): Shift {
  const shift = timelineOf(rota, from, to).find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt);
  if (!shift) throw new Error('A timeline covers its range.');
  return shift;
}
