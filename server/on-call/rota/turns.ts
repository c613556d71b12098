import { Temporal } from 'temporal-polyfill';
import { HOUR_MS } from '@/server/time/schema';
import type { Layer, Restriction } from '../schema';

const DAYS = { days: 1, weeks: 7 } as const;

/**
 * When the clocks of a zone show a time of a day. A time that is skipped in spring comes as much later as the clock is moved; of one that is
 * repeated in autumn, the first counts.
 */
function instantOf(date: Temporal.PlainDate, time: string, timezone: string): number {
  return date.toZonedDateTime({ timeZone: timezone, plainTime: time }).epochMilliseconds;
}

/** The day that the clocks of a zone show. */
export function dayOf(at: number, timezone: string): Temporal.PlainDate {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDate();
}

/** When a turn of a layer starts, by its number; the first is 0. Hand-overs by days and weeks keep their time of day. */
export function turnStart({ startDate, handoverTime, rotation }: Layer, timezone: string, turn: number): number {
  const first = Temporal.PlainDate.from(startDate);
  const { unit, every } = rotation;
  if (unit === 'hours') return instantOf(first, handoverTime, timezone) + turn * every * HOUR_MS;
  return instantOf(first.add({ days: turn * every * DAYS[unit] }), handoverTime, timezone);
}

/** The number of the turn that a moment is in; negative before the first. */
export function turnAt(layer: Layer, timezone: string, at: number): number {
  const { unit, every } = layer.rotation;
  if (unit === 'hours') return Math.floor((at - turnStart(layer, timezone, 0)) / (every * HOUR_MS));
  const days = Temporal.PlainDate.from(layer.startDate).until(dayOf(at, timezone)).days;
  const turn = Math.floor(days / (every * DAYS[unit]));
  // On the day of a hand-over, the turn before lasts until its time.
  return turnStart(layer, timezone, turn) > at ? turn - 1 : turn;
}

/** The stretch that a restriction allows from a day on, null where it does not allow that day. An end that is not after the start is on the next day. */
export function allowedOn(
  { days, from, to }: Restriction,
  date: Temporal.PlainDate,
  timezone: string,
): { start: number; end: number } | null {
  if (!days.includes(date.dayOfWeek)) return null;
  const last = to > from ? date : date.add({ days: 1 });
  return { start: instantOf(date, from, timezone), end: instantOf(last, to, timezone) };
}
