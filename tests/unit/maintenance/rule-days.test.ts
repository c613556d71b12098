import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { nextOccurrence, occurrencesOf, whyNoRecurrence } from '@/server/maintenance/recurrence/recurrence';
import { daysFrom, parseRule } from '@/server/maintenance/recurrence/rule-days';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const option = (name: string, values: fc.Arbitrary<unknown>) =>
  fc.option(
    values.map((value) => `${name}=${String(value)}`),
    { nil: null },
  );
const list = <Value>(values: readonly Value[]) => fc.subarray([...values], { minLength: 1, maxLength: 4 });
const join = (...parts: (string | null)[]) => parts.filter((part) => part !== null).join(';');
// The library leaves out MO in a yearly rule such as BYDAY=MO,-1SA, against RFC 5545, so plain weekdays are not mixed in.
const ordinals = WEEKDAYS.flatMap((day) => ['1', '2', '-1', '-2', '5'].map((ordinal) => ordinal + day));
const common = {
  interval: option('INTERVAL', fc.integer({ min: 1, max: 4 })),
  months: option('BYMONTH', list([1, 2, 3, 6, 11, 12])),
  positions: option('BYSETPOS', list([1, 2, -1, -2])),
  until: option('UNTIL', fc.constantFrom('20251231T120000Z', '20250314T100000Z', '20250314T095959Z')),
};
/** Rules of the parts that RFC 5545 allows with each frequency. */
const anyRule = fc.oneof(
  fc
    .record({ ...common, weekStart: option('WKST', fc.constantFrom(...WEEKDAYS)), days: list(WEEKDAYS) })
    .map((each) =>
      join('FREQ=WEEKLY', each.interval, `BYDAY=${each.days}`, each.months, each.positions, each.weekStart, each.until),
    ),
  fc
    .record({
      ...common,
      days: option('BYDAY', list(WEEKDAYS)),
      monthDays: option('BYMONTHDAY', list([1, 15, 31, -1])),
    })
    .map(({ interval, months, days, monthDays, until }) =>
      join('FREQ=DAILY', interval, months, days, monthDays, until),
    ),
  fc
    .record({
      ...common,
      frequency: fc.constantFrom('MONTHLY', 'YEARLY'),
      part: fc.oneof(
        fc.oneof(list(ordinals), list(WEEKDAYS)).map((days) => `BYDAY=${days}`),
        list([1, 13, 29, 30, 31, -1, -31]).map((days) => `BYMONTHDAY=${days}`),
        fc.tuple(list(WEEKDAYS), list([1, 13, 29, -1])).map(([days, dates]) => `BYDAY=${days};BYMONTHDAY=${dates}`),
      ),
    })
    .map(({ frequency, part, interval, months, positions, until }) =>
      join(`FREQ=${frequency}`, interval, months, part, positions, until),
    ),
);

it('has the dates that the library finds by stepping', { timeout: 120_000 }, () => {
  const start = Date.parse('2023-11-01T10:00:00Z');
  const property = fc.property(anyRule, fc.integer({ min: 0, max: 1_200 }), (recurrence, offset) => {
    const [from, to] = [new Date(start + offset * DAY_MS), new Date(start + (offset + 500) * DAY_MS)];
    const rruleString = `DTSTART:20231101T100000Z\nRRULE:${recurrence}`;
    const expected = new RRuleTemporal({ rruleString, temporal: Temporal })
      .between(from, to, true)
      .map(({ epochMilliseconds }) => new Date(epochMilliseconds).toISOString().slice(0, 10))
      .filter((_day, index) => index < 40);
    const times = { startsAt: new Date(start), endsAt: new Date(start + HOUR_MS), recurrence, timezone: 'UTC' };
    const found = occurrencesOf(times, from, new Date(to.getTime() + 1)).slice(0, 40);
    expect({ recurrence, days: found.map(({ startsAt }) => startsAt.toISOString().slice(0, 10)) }).toEqual({
      recurrence,
      days: expected,
    });
  });
  fc.assert(property, { numRuns: 1_000 });
});

describe('a rule that never matches, or rarely', () => {
  const start = Date.parse('2026-11-22T04:00:00Z');
  it.each([
    'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=8',
    'FREQ=DAILY;BYSETPOS=2',
    'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
    'FREQ=MONTHLY;BYMONTH=4,6,9,11;BYMONTHDAY=31',
    'FREQ=YEARLY;BYDAY=MO;BYSETPOS=99',
    'FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=-99',
    'FREQ=YEARLY;INTERVAL=4;BYMONTH=2;BYMONTHDAY=29',
    'FREQ=DAILY;INTERVAL=999;BYMONTH=2;BYMONTHDAY=30',
  ])('is refused after a bounded number of days: %s', (recurrence) => {
    const times = { startsAt: new Date(start), endsAt: new Date(start + HOUR_MS), recurrence, timezone: 'UTC' };
    expect(whyNoRecurrence(times)).toContain('never matches');
    expect(nextOccurrence(times, new Date(start))).toBeNull();
    const budget = { left: 5_000 };
    expect([...daysFrom(parseRule(recurrence, start / DAY_MS), 0, budget)]).toEqual([]);
    // One period more than the budget, of a year at most.
    expect(budget.left).toBeGreaterThan(-400);
  });

  it('finds a date every eight years at the most', () => {
    const leap = Date.parse('2096-02-29T04:00:00Z');
    const times = {
      startsAt: new Date(leap),
      endsAt: new Date(leap + HOUR_MS),
      recurrence: 'FREQ=YEARLY',
      timezone: 'UTC',
    };
    expect(nextOccurrence(times, new Date(leap + DAY_MS))?.startsAt).toEqual(new Date('2104-02-29T04:00:00Z'));
  });
});

/** The rules that cost most for each day, of at most 200 characters: repeated parts, and a position that no period has. */
const costly = [
  'FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR,SA,SU;BYSETPOS=8',
  `FREQ=DAILY;BYSETPOS=${Array(55).fill('99').join(',')}`,
  `FREQ=MONTHLY;BYSETPOS=99;BYDAY=${Array(40).fill('-5MO').join(',')}`,
  `FREQ=YEARLY;BYSETPOS=99;BYDAY=${['5MO', '5TU', '5WE', '5TH', '-5FR', '-5SA', '-5SU'].join(',')}`,
];

it.each(costly)('looks at the days of an asked range alone: %.40s', (recurrence) => {
  const startsAt = new Date('2024-02-29T00:00:00Z');
  const times = { startsAt, endsAt: new Date('2024-02-29T01:00:00Z'), recurrence, timezone: 'America/New_York' };
  const from = new Date('2028-03-01T00:00:00Z');
  const took = (work: () => unknown) => {
    const began = performance.now();
    for (let count = 0; count < 200; count += 1) work();
    return performance.now() - began;
  };
  const ofRange = () => took(() => occurrencesOf(times, from, new Date(from.getTime() + 7 * DAY_MS)));
  const ofTenYears = () => took(() => nextOccurrence(times, from));
  ofRange();
  ofTenYears();
  expect(occurrencesOf(times, from, new Date('2028-05-30T00:00:00Z'))).toEqual([]);
  // Both are slower on a busy machine. Without an end, the search for the range takes as long as the other.
  expect(ofRange()).toBeLessThan(ofTenYears() / 2);
});

it('has no occurrences after the year 9999', () => {
  const startsAt = new Date('9998-06-01T00:00:00Z');
  const times = { startsAt, endsAt: new Date('9998-06-02T00:00:00Z'), recurrence: 'FREQ=YEARLY', timezone: 'UTC' };
  expect(nextOccurrence(times, new Date('9999-01-01T00:00:00Z'))?.startsAt).toEqual(new Date('9999-06-01T00:00:00Z'));
  expect(nextOccurrence(times, new Date('9999-07-01T00:00:00Z'))).toBeNull();
});
