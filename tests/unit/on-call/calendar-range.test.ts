import { expect, it } from 'vitest';
import { calendarRange, cutShifts } from '@/server/on-call/rota/calendar-range';
import { timelineOf } from '@/server/on-call/rota/timeline';
import { changesPerDay, type Layer } from '@/server/on-call/schema';
import { DAY_MS } from '@/server/time/schema';

const TODAY = Date.parse('2026-11-28T00:00:00Z');
const ALL = 10_000;

const layer = (changes: Partial<Layer> = {}): Layer => ({
  name: 'Primary',
  userIds: ['mara', 'priya'],
  rotation: { unit: 'weeks', every: 1 },
  startDate: '2026-03-23',
  handoverTime: '08:00',
  restrictions: [],
  ...changes,
});

/** The events of a calendar, by their start. */
function eventsOn(today: number, layers: Layer[], most: number): Map<number, number> {
  const rota = { timezone: 'Europe/Berlin', layers, overrides: [], members: new Set(['mara', 'priya']) };
  const { from, to, cuts } = calendarRange(today, { perDay: changesPerDay(layers), most });
  const shifts = cutShifts(timelineOf(rota, from, to), cuts);
  return new Map(shifts.map(({ startsAt, endsAt }) => [startsAt.getTime(), endsAt.getTime()]));
}

it.each<[string, Layer[], number]>([
  ['turns of a week', [layer()], ALL],
  ['turns of a month', [layer({ rotation: { unit: 'days', every: 30 } })], ALL],
  ['one person', [layer({ userIds: ['mara'] })], ALL],
  ['turns of hours', [layer({ rotation: { unit: 'hours', every: 5 } })], ALL],
  ['turns of hours beside many other schedules', [layer({ rotation: { unit: 'hours', every: 5 } })], 50],
  ['one person beside many other schedules', [layer({ userIds: ['mara'], rotation: { unit: 'days', every: 1 } })], 50],
])('keeps the events of %s from day to day', (_name, layers, most) => {
  const days = Array.from({ length: 70 }, (_, day) => eventsOn(TODAY + day * DAY_MS, layers, most));
  const ends = new Map(days.flatMap((events) => [...events]));
  for (const [day, events] of days.entries()) {
    const [first = 0, last = 0] = [Math.min(...events.keys()), Math.max(...events.values())];
    const today = TODAY + day * DAY_MS;
    expect([first <= today - DAY_MS, last >= today + DAY_MS]).toEqual([true, true]);
    // Each day has the events of its range that any other day has, with the same ends, and no others.
    const known = [...ends].filter(([start, end]) => start >= first && end <= last);
    expect([...events].sort()).toEqual(known.sort());
  }
});

it('has whole months around two weeks before and three months after, for any one schedule', () => {
  const range = calendarRange(TODAY, { perDay: 48, most: ALL });
  expect([range.from, range.to].map((date) => date.toISOString().slice(0, 10))).toEqual(['2026-11-01', '2027-03-01']);
});

it('has fewer days of schedules that change more often than the calendar can hold', () => {
  const { from, to, cuts } = calendarRange(TODAY, { perDay: 48, most: 1_000 });
  expect((to.getTime() - from.getTime()) / DAY_MS).toBeLessThanOrEqual(1_000 / 48);
  expect(cuts).toHaveLength((to.getTime() - from.getTime()) / DAY_MS + 1);
});
