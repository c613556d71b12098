import { canonicalZone, DAY_MS } from '@/server/time/schema';
import { zoneClock } from '@/server/time/zone-clock';
import { clockOf, firstOccurrence, minutesOf, type RecurringWindow, ruleOf } from '../../convert/recurring-window';
import type { Row } from '../../convert/rows';
import { NotCarriedOver } from '../../draft';
import { jsonOf, numberOf, textOf } from './rows';

const dayOf = (text: string) => Math.floor(Date.parse(`${text.slice(0, 10)}T00:00:00Z`) / DAY_MS);

/**
 * Parses a field of a cron expression to its numbers; null for every value.
 * @throws NotCarriedOver for steps and names
 */
function numbersOf(field: string, most: number): number[] | null {
  if (field === '*' || field === '?') return null;
  const numbers = field.split(',').flatMap((part) => {
    const [, from, to] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(part) ?? [];
    if (from === undefined)
      throw new NotCarriedOver(`The cron field ${field.slice(0, 20)} has no counterpart in a rule.`);
    const first = Number(from);
    const last = Number(to ?? from);
    if (last > most || last < first) throw new NotCarriedOver(`The cron field ${field.slice(0, 20)} is not valid.`);
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });
  return [...new Set(numbers)];
}

function only(numbers: number[] | null): number {
  if (numbers?.length !== 1)
    throw new NotCarriedOver('It starts several times a day. Create one window for each time.');
  return numbers[0] ?? 0;
}

function ofCron(row: Row): RecurringWindow {
  const fields = textOf(row, 'cron').split(/\s+/);
  if (fields.length !== 5) throw new NotCarriedOver('Only cron expressions of five fields are supported.');
  const [minute = '', hour = '', monthDay = '', month = '', weekday = ''] = fields;
  return {
    ...ruleOf(numbersOf(weekday, 7), numbersOf(monthDay, 31), numbersOf(month, 12)),
    minute: only(numbersOf(minute, 59)),
    hour: only(numbersOf(hour, 23)),
    durationMs: (numberOf(row, 'duration') ?? 0) * 1000,
  };
}

function listOf(row: Row, name: string): unknown[] {
  const list = jsonOf(row, name);
  if (!Array.isArray(list) || list.length === 0) throw new NotCarriedOver('It has no days.');
  return list;
}

function ofDays(row: Row, strategy: string): RecurringWindow {
  const start = clockOf(textOf(row, 'start_time'));
  const minutes = minutesOf(clockOf(textOf(row, 'end_time'))) - minutesOf(start);
  // An end before the start is on the next day.
  const times = { ...start, durationMs: (minutes <= 0 ? minutes + 24 * 60 : minutes) * 60_000 };
  if (strategy === 'recurring-weekday') return { ...times, ...ruleOf(listOf(row, 'weekdays').map(Number), null, null) };
  if (strategy === 'recurring-day-of-month') {
    const days = listOf(row, 'days_of_month').map((day) => (day === 'lastDay1' ? -1 : Number(day)));
    if (days.some(Number.isNaN)) throw new NotCarriedOver('Days before the last of a month are not supported.');
    return { ...times, ...ruleOf(null, days, null) };
  }
  const every = numberOf(row, 'interval_day') ?? 1;
  const first = dayOf(textOf(row, 'start_date'));
  const anchor = Number.isNaN(first) ? 0 : first;
  return { ...times, recurrence: `FREQ=DAILY;INTERVAL=${every}`, isOn: (day) => (day - anchor) % every === 0 };
}

/** Returns the UNTIL part of an RRULE, in UTC; empty without an end. */
function untilOf(row: Row, toUtc: (text: string) => number): string {
  const end = textOf(row, 'end_date');
  if (end === '') return '';
  const stamp = new Date(toUtc(end)).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `;UNTIL=${stamp}`;
}

/**
 * Converts the times of a maintenance to those of a maintenance window.
 * @param serverZone the time zone of the server, which is the default
 * @throws NotCarriedOver
 */
export function toWindow(row: Row, serverZone: string, now: Date): Record<string, unknown> {
  const strategy = textOf(row, 'strategy');
  if (strategy === 'manual') throw new NotCarriedOver('It is switched by hand. Use Start maintenance instead.');
  if (row.active !== undefined && !row.active) throw new NotCarriedOver('It is inactive.');
  const own = textOf(row, 'timezone');
  const timezone = own === '' || own === 'SAME_AS_SERVER' ? serverZone : own;
  if (canonicalZone(timezone) === null) throw new NotCarriedOver(`The time zone ${timezone.slice(0, 40)} is unknown.`);
  const clock = zoneClock(timezone);
  const toUtc = (text: string) =>
    clock.momentOf(Date.parse(`${text.slice(0, 10)}T${text.slice(11, 16) || '00:00'}:00Z`));
  if (strategy === 'single') {
    if (textOf(row, 'start_date') === '' || textOf(row, 'end_date') === '')
      throw new NotCarriedOver('It has no times.');
    const [from, to] = [toUtc(textOf(row, 'start_date')), toUtc(textOf(row, 'end_date'))];
    if (!(to > now.getTime())) throw new NotCarriedOver('It is over.');
    return { startsAt: new Date(from).toISOString(), endsAt: new Date(to).toISOString(), timezone };
  }
  const rule = strategy === 'cron' ? ofCron(row) : ofDays(row, strategy);
  const earliest = dayOf(textOf(row, 'start_date')) || 0;
  return firstOccurrence({ ...rule, recurrence: rule.recurrence + untilOf(row, toUtc) }, { timezone, earliest, now });
}
