import { DAY_MS } from '@/server/time/schema';
import { changesPerDay } from '../schema';
import type { Rota, Shift } from './rota';
import { timelineOf } from './timeline';

/** So far before and after a moment a shift is followed. */
const SHIFT_DAYS = 14;
/** Enough for two weeks before and after of any layers that can be saved. Older ones may change more often and are followed less far. */
const MOST_CHANGES = 1_400;

/** How far the shift at a moment is followed, in days on each side. */
const reachOf = ({ layers }: Rota) => Math.min(SHIFT_DAYS, MOST_CHANGES / 2 / changesPerDay(layers));

/** The range in which `shiftAt` looks, at most. */
export function shiftRange(at: Date, days = SHIFT_DAYS): { from: Date; to: Date } {
  return { from: new Date(at.getTime() - days * DAY_MS), to: new Date(at.getTime() + days * DAY_MS) };
}

/**
 * The shift at a moment, as far as two weeks before and after it show; `goesOn` where it lasts longer. Shifts are mostly short, so the nearest days
 * are looked at first. Pure.
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
