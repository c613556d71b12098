import { DAY_MS } from '@/server/time/schema';

type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
const FREQUENCIES: readonly string[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** The days of an RRULE (RFC 5545). A day is the number of days since 1970-01-01, a weekday 0 for Monday, a month 1 to 12. */
export interface Rule {
  frequency: Frequency;
  interval: number;
  start: number;
  /** The last possible day; null without an end. */
  last: number | null;
  /** With an ordinal, as in 2MO or -1FR: the how manieth of its month or year. */
  weekdays: { weekday: number; ordinal: number | null }[] | null;
  monthDays: number[] | null;
  months: number[] | null;
  positions: number[] | null;
  weekStart: number;
}

/** Days that one search looks at without finding any: ten years, or of a rule with an interval longer. */
const MOST_STEPS = 3_660;

/** What is left of the days that a search may look at. */
export interface Budget {
  left: number;
}

const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7;
const dayOf = (year: number, month: number, day: number) => Date.UTC(year, month - 1, day) / DAY_MS;
const lengthOf = (year: number, month: number) => dayOf(year, month + 1, 1) - dayOf(year, month, 1);

function dateOf(day: number) {
  const date = new Date(day * DAY_MS);
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

const numbers = (text: string | undefined) => text?.split(',').map(Number) ?? null;

/** Reads a rule that starts on a day; parts that it lacks come from the start. Throws for what is no rule. */
export function parseRule(text: string, start: number): Rule & { count: number | null; until: string | null } {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]));
  const frequency = parts.get('FREQ') as Frequency;
  if (!FREQUENCIES.includes(frequency)) throw new TypeError('A rule has a frequency.');
  const count = Number(parts.get('COUNT') ?? 0);
  const weekdays = parts
    .get('BYDAY')
    ?.split(',')
    .map((each) => {
      const ordinal = Number.parseInt(each, 10);
      return { weekday: WEEKDAYS.indexOf(each.slice(-2)), ordinal: Number.isNaN(ordinal) ? null : ordinal };
    });
  const [monthDays, months] = [numbers(parts.get('BYMONTHDAY')), numbers(parts.get('BYMONTH'))];
  const { month, day } = dateOf(start);
  const isByMonth = frequency === 'MONTHLY' || frequency === 'YEARLY';
  const isPlain = !weekdays && !monthDays;
  return {
    ...{ frequency, start, last: null, count: count || null, until: parts.get('UNTIL') ?? null },
    interval: Number(parts.get('INTERVAL') ?? 1),
    weekdays: weekdays ?? (frequency === 'WEEKLY' ? [{ weekday: weekdayOf(start), ordinal: null }] : null),
    monthDays: monthDays ?? (isByMonth && isPlain ? [day] : null),
    months: months ?? (frequency === 'YEARLY' && isPlain ? [month] : null),
    positions: numbers(parts.get('BYSETPOS')),
    weekStart: Math.max(0, WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO')),
  };
}

/** The number of the period of a day, in units of the frequency. */
function periodOf({ frequency, weekStart }: Rule, day: number): number {
  if (frequency === 'DAILY') return day;
  if (frequency === 'WEEKLY') return Math.floor((day + 3 - weekStart) / 7);
  const { year, month } = dateOf(day);
  return frequency === 'MONTHLY' ? year * 12 + month - 1 : year;
}

function isOnWeekday({ weekdays, frequency, months }: Rule, day: number): boolean {
  if (!weekdays) return true;
  const isByMonth = frequency === 'MONTHLY' || (frequency === 'YEARLY' && months !== null);
  return weekdays.some(({ weekday, ordinal }) => {
    if (weekday !== weekdayOf(day)) return false;
    if (ordinal === null || (frequency !== 'MONTHLY' && frequency !== 'YEARLY')) return true;
    const { year, month } = dateOf(day);
    const first = isByMonth ? dayOf(year, month, 1) : dayOf(year, 1, 1);
    const end = isByMonth ? dayOf(year, month + 1, 1) : dayOf(year + 1, 1, 1);
    const fromStart = Math.floor((day - first) / 7) + 1;
    return ordinal > 0 ? ordinal === fromStart : -ordinal === Math.floor((end - 1 - day) / 7) + 1;
  });
}

/** The days of a month that a rule may have, in order. */
function daysOfMonth(rule: Rule, year: number, month: number, budget: Budget): number[] {
  budget.left -= 1;
  if (rule.months && !rule.months.includes(month)) return [];
  const [first, length] = [dayOf(year, month, 1), lengthOf(year, month)];
  const all = rule.monthDays
    ? [...new Set(rule.monthDays.map((day) => (day < 0 ? length + day + 1 : day)))].sort((a, b) => a - b)
    : Array.from({ length }, (_, index) => index + 1);
  budget.left -= all.length;
  return all
    .filter((day) => day >= 1 && day <= length)
    .map((day) => first + day - 1)
    .filter((day) => isOnWeekday(rule, day));
}

function isInMonth({ months, monthDays }: Rule, day: number): boolean {
  if (!months && !monthDays) return true;
  const date = dateOf(day);
  if (months && !months.includes(date.month)) return false;
  return (
    !monthDays || monthDays.some((each) => each === date.day || each === date.day - lengthOf(date.year, date.month) - 1)
  );
}

/** The days of a period by all parts but BYSETPOS, in order. */
function candidates(rule: Rule, period: number, budget: Budget): number[] {
  switch (rule.frequency) {
    case 'DAILY':
    case 'WEEKLY': {
      const [first, length] = rule.frequency === 'DAILY' ? [period, 1] : [period * 7 - 3 + rule.weekStart, 7];
      const days = Array.from({ length }, (_, index) => first + index);
      budget.left -= length;
      return days.filter((day) => isOnWeekday(rule, day) && isInMonth(rule, day));
    }
    case 'MONTHLY':
      return daysOfMonth(rule, Math.floor(period / 12), (period % 12) + 1, budget);
    case 'YEARLY':
      return Array.from({ length: 12 }, (_, index) => index + 1).flatMap((month) =>
        daysOfMonth(rule, period, month, budget),
      );
    default:
      return rule.frequency satisfies never;
  }
}

/** Only some of a period's days, counted from its start or its end. */
function atPositions(days: number[], positions: number[] | null): number[] {
  if (!positions) return days;
  const places = new Set(positions.map((position) => (position > 0 ? position - 1 : days.length + position)));
  return days.filter((_day, place) => places.has(place));
}

/**
 * The days of a rule from a day on, in order, read lazily. The first period is found by arithmetic. The search ends when it has looked at 3,660 days in
 * a row without finding one, so that a rule that never matches costs little.
 *
 * @param budget for a search that may look at so many days in all
 */
export function* daysFrom(rule: Rule, from: number, budget?: Budget): Generator<number> {
  const { interval, start, last } = rule;
  const first = periodOf(rule, start);
  const asked = periodOf(rule, Math.max(from, start));
  let period = first + Math.ceil((asked - first) / interval) * interval;
  const steps = budget ?? { left: MOST_STEPS };
  for (; steps.left > 0; period += interval) {
    const days = atPositions(candidates(rule, period, steps), rule.positions);
    for (const day of days) {
      if (last !== null && day > last) return;
      if (day < from || day < start) continue;
      if (!budget) steps.left = MOST_STEPS;
      yield day;
    }
    if (last !== null && periodOf(rule, last) < period) return;
  }
}
