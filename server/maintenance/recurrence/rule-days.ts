type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
const FREQUENCIES: readonly string[] = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'];
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** An RRULE (RFC 5545) that is evaluated by days. A day is the number of days since 1970-01-01, a weekday 0 for Monday, a month 1 to 12. */
export interface Rule {
  frequency: Frequency;
  interval: number;
  start: number;
  /** The last possible day; null if the rule has no end. */
  last: number | null;
  /** Ordinals by weekday, for example 2 and -1 for the second and the last Monday of a month or year; 0 means every one. */
  weekdays: ReadonlyMap<number, ReadonlySet<number>> | null;
  monthDays: number[] | null;
  months: number[] | null;
  positions: ReadonlySet<number> | null;
  weekStart: number;
}

/** The maximum number of days that a search visits: ten years, or longer for a rule with an interval. */
const MOST_STEPS = 3_660;

/** The remaining number of days that a search may visit. */
export interface Budget {
  left: number;
}

const weekdayOf = (day: number) => (((day + 3) % 7) + 7) % 7;

/**
 * Converts a date of the proleptic Gregorian calendar to a day. Uses integers only, because a rule needs thousands of conversions. A month may be
 * 13.
 */
function dayOf(year: number, month: number, day: number): number {
  // Lets years begin in March, so that a leap day is the last day of its year; the calendar repeats every 400 years (146,097 days).
  const shifted = month > 2 ? year : year - 1;
  const era = Math.floor(shifted / 400);
  const yearOfEra = shifted - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  return (
    era * 146_097 + yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear - 719_468
  );
}

const lengthOf = (year: number, month: number) => dayOf(year, month + 1, 1) - dayOf(year, month, 1);

/** Converts a day to its date; the inverse of `dayOf`. */
function dateOf(day: number): { year: number; month: number; day: number } {
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const leapDays = Math.floor(dayOfEra / 1_460) - Math.floor(dayOfEra / 36_524) + Math.floor(dayOfEra / 146_096);
  const yearOfEra = Math.floor((dayOfEra - leapDays) / 365);
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const shiftedMonth = Math.floor((5 * dayOfYear + 2) / 153);
  const month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * shiftedMonth + 2) / 5) + 1,
  };
}

/** Parses numbers separated by commas, without duplicates. Null if the part is missing. */
const numbers = (text: string | undefined) => (text ? [...new Set(text.split(',').map(Number))] : null);

const EVERY: ReadonlySet<number> = new Set([0]);

function readWeekdays(text: string | undefined): Rule['weekdays'] {
  if (!text) return null;
  const weekdays = new Map<number, Set<number>>();
  for (const each of text.split(',')) {
    const weekday = WEEKDAYS.indexOf(each.slice(-2));
    const ordinals = weekdays.get(weekday) ?? new Set();
    weekdays.set(weekday, ordinals.add(Number.parseInt(each, 10) || 0));
  }
  return weekdays;
}

/** Parses a rule that starts on a day; missing parts are taken from the start. Throws if the rule is invalid. */
export function parseRule(text: string, start: number): Rule & { count: number | null; until: string | null } {
  const parts = new Map(text.split(';').map((part) => part.split('=') as [string, string]));
  const frequency = parts.get('FREQ') as Frequency;
  if (!FREQUENCIES.includes(frequency)) throw new TypeError('A rule has a frequency.');
  const count = Number(parts.get('COUNT') ?? 0);
  const weekdays = readWeekdays(parts.get('BYDAY'));
  const [monthDays, months] = [numbers(parts.get('BYMONTHDAY')), numbers(parts.get('BYMONTH'))];
  const { month, day } = dateOf(start);
  const isByMonth = frequency === 'MONTHLY' || frequency === 'YEARLY';
  const isPlain = !weekdays && !monthDays;
  return {
    frequency,
    start,
    last: null,
    count: count || null,
    until: parts.get('UNTIL') ?? null,
    interval: Number(parts.get('INTERVAL') ?? 1),
    weekdays: weekdays ?? (frequency === 'WEEKLY' ? new Map([[weekdayOf(start), EVERY]]) : null),
    monthDays: monthDays ?? (isByMonth && isPlain ? [day] : null),
    months: months ?? (frequency === 'YEARLY' && isPlain ? [month] : null),
    positions: parts.has('BYSETPOS') ? new Set(numbers(parts.get('BYSETPOS'))) : null,
    weekStart: Math.max(0, WEEKDAYS.indexOf(parts.get('WKST') ?? 'MO')),
  };
}

/** Returns the number of the period (day, week, month or year, by the frequency) that contains a day. */
function periodOf({ frequency, weekStart }: Rule, day: number): number {
  if (frequency === 'DAILY') return day;
  if (frequency === 'WEEKLY') return Math.floor((day + 3 - weekStart) / 7);
  const { year, month } = dateOf(day);
  return frequency === 'MONTHLY' ? year * 12 + month - 1 : year;
}

function isOnWeekday({ weekdays, frequency, months }: Rule, day: number): boolean {
  if (!weekdays) return true;
  const ordinals = weekdays.get(weekdayOf(day));
  if (!ordinals || ordinals.has(0) || frequency === 'DAILY' || frequency === 'WEEKLY') return ordinals !== undefined;
  const isByMonth = frequency === 'MONTHLY' || months !== null;
  const { year, month } = dateOf(day);
  const first = isByMonth ? dayOf(year, month, 1) : dayOf(year, 1, 1);
  const end = isByMonth ? dayOf(year, month + 1, 1) : dayOf(year + 1, 1, 1);
  const fromStart = Math.floor((day - first) / 7) + 1;
  const fromEnd = Math.floor((end - 1 - day) / 7) + 1;
  return ordinals.has(fromStart) || ordinals.has(-fromEnd);
}

/** Returns the days of a month that match BYMONTH, BYMONTHDAY and BYDAY, in order. Uses up the budget by the days that it visits. */
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
  if (!monthDays || monthDays.includes(date.day)) return true;
  return monthDays.includes(date.day - lengthOf(date.year, date.month) - 1);
}

/** Returns the days of a period that match all parts except BYSETPOS, in order. */
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

/** Applies BYSETPOS: selects days of a period by their position from its start or its end. */
function atPositions(days: number[], positions: Rule['positions']): number[] {
  if (!positions) return days;
  return days.filter((_day, place) => positions.has(place + 1) || positions.has(place - days.length));
}

/**
 * Generates the days of a rule from a given day on, in order. Finds the first period by arithmetic. Ends when the budget is used up. Every visited
 * day counts, also a match, because a caller may skip hundreds of matches that are years apart.
 */
export function* daysFrom(rule: Rule, from: number, budget: Budget = { left: MOST_STEPS }): Generator<number> {
  const { interval, start, last } = rule;
  const first = periodOf(rule, start);
  const asked = periodOf(rule, Math.max(from, start));
  const lastPeriod = last === null ? Number.POSITIVE_INFINITY : periodOf(rule, last);
  let period = first + Math.ceil((asked - first) / interval) * interval;
  for (; budget.left > 0 && period <= lastPeriod; period += interval) {
    const days = atPositions(candidates(rule, period, budget), rule.positions);
    for (const day of days) {
      if (last !== null && day > last) return;
      if (day < from || day < start) continue;
      yield day;
    }
  }
}
