import fc from 'fast-check';
import { RRuleTemporal } from 'rrule-temporal';
import { Temporal } from 'temporal-polyfill';
import { describe, expect, it } from 'vitest';
import { keptSkips } from '@/server/maintenance/occurrences/skip-occurrence';
import {
  nextOccurrence,
  occurrencesOf,
  startsAmong,
  type Times,
  whyNoRecurrence,
} from '@/server/maintenance/recurrence/recurrence';
import { DAY_MS, HOUR_MS } from '@/server/time/schema';

const START = Date.parse('2023-11-01T10:00:00Z');
const day = (count: number) => new Date(START + count * DAY_MS);
const window = (recurrence: string, skippedStarts: Date[] = []): Times => ({
  startsAt: day(0),
  endsAt: new Date(START + HOUR_MS),
  recurrence,
  timezone: 'UTC',
  skippedStarts,
});

const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];
const part = (name: string, values: fc.Arbitrary<number | string>) =>
  fc.option(
    values.map((value) => `${name}=${value}`),
    { nil: null },
  );

/** Rules that end after some occurrences. */
const anyRule = fc
  .tuple(
    fc.constantFrom('FREQ=DAILY', 'FREQ=WEEKLY', 'FREQ=MONTHLY', 'FREQ=YEARLY'),
    fc.integer({ min: 1, max: 60 }).map((count) => `COUNT=${count}`),
    part('INTERVAL', fc.integer({ min: 1, max: 5 })),
    part(
      'BYDAY',
      fc.subarray(WEEKDAYS, { minLength: 1 }).map((days) => days.join(',')),
    ),
    // The month of the start too, so that every rule matches.
    part(
      'BYMONTH',
      fc.subarray([2, 5, 12]).map((months) => [11, ...months].join(',')),
    ),
    part('BYSETPOS', fc.constantFrom(1, -1)),
    part('WKST', fc.constantFrom(...WEEKDAYS)),
  )
  .map((parts) => parts.filter((each) => each !== null).join(';'));

/** Every start by the rule as it stands, in one pass from the first one. */
function allStarts(recurrence: string): Date[] {
  const rruleString = `DTSTART:20231101T100000Z\nRRULE:${recurrence}`;
  const walls = new RRuleTemporal({ rruleString, temporal: Temporal, maxCandidateEvaluations: 999_999 }).all();
  return walls.map(({ epochMilliseconds }) => new Date(epochMilliseconds));
}

const skipSome = (starts: Date[], every: number) => starts.filter((_start, index) => index % every !== 0);

describe('rules with a COUNT', () => {
  it('have the same occurrences from every moment on as counted from the start', () => {
    const anyCase = fc.record({
      recurrence: anyRule,
      at: fc.integer({ min: -10, max: 3_000 }).map(day),
      days: fc.integer({ min: 1, max: 400 }),
      every: fc.integer({ min: 1, max: 20 }),
    });
    fc.assert(
      fc.property(anyCase, ({ recurrence, at, days, every }) => {
        const starts = allStarts(recurrence);
        const skipped = skipSome(starts, every);
        const times = window(recurrence, skipped);
        const placed = starts.filter((start) => !skipped.includes(start));
        const to = new Date(at.getTime() + days * DAY_MS);
        const inRange = placed.filter((start) => start.getTime() + HOUR_MS > at.getTime() && start < to);
        expect(occurrencesOf(times, at, to).map(({ startsAt }) => startsAt)).toEqual(inRange);
        const next = placed.find((start) => start.getTime() + HOUR_MS > at.getTime());
        expect(nextOccurrence(times, at)?.startsAt).toEqual(next);
        const others = starts.map((start) => new Date(start.getTime() + 1));
        expect(startsAmong(times, [...others, ...starts].reverse())).toEqual(starts);
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    'FREQ=YEARLY;INTERVAL=999;COUNT=9999',
    'FREQ=YEARLY;INTERVAL=99;COUNT=100',
    'FREQ=DAILY;BYMONTH=1;COUNT=9999',
  ])('rejects rules with a COUNT that end too far in the future: %s', (rule) => {
    expect(whyNoRecurrence(window(rule))).toContain('Lower COUNT');
  });

  it('can have 9999 days', () => {
    const times = window('FREQ=DAILY;COUNT=9999');
    expect(whyNoRecurrence(times)).toBeNull();
    expect(nextOccurrence(times, day(9_998))?.startsAt).toEqual(day(9_998));
    expect(nextOccurrence(times, day(9_999))).toBeNull();
  });
});

describe('400 skipped occurrences', () => {
  const skipped = Array.from({ length: 400 }, (_value, index) => day(1_000 + index));
  it.each(['FREQ=DAILY', 'FREQ=DAILY;COUNT=2000'])('passes over 400 skipped occurrences by the rule %s', (rule) => {
    expect(nextOccurrence(window(rule, skipped), day(1_000))?.startsAt).toEqual(day(1_400));
  });

  it('searches ten years in all, even if 400 occurrences that are years apart are skipped', () => {
    const rule = 'FREQ=DAILY;BYMONTH=2;BYMONTHDAY=29';
    const leapDays = Array.from({ length: 400 }, (_value, index) => new Date(Date.UTC(2024 + 4 * index, 1, 29, 10)));
    expect(nextOccurrence(window(rule, leapDays.slice(0, 1)), day(0))?.startsAt).toEqual(leapDays[1]);
    expect(nextOccurrence(window(rule, leapDays), day(0))).toBeNull();
  });

  it('keeps 400 skipped occurrences when times change to others that have them', () => {
    const before = window('FREQ=DAILY', skipped);
    expect(keptSkips(before, window('FREQ=DAILY;INTERVAL=2'))).toEqual(
      skipped.filter((_start, index) => index % 2 === 0),
    );
    expect(keptSkips(before, { ...before, endsAt: day(0.5) })).toEqual(skipped);
  });

  it('finds skipped occurrences separately if they are years apart', () => {
    const far = [day(0), day(1), day(8_000)];
    expect(startsAmong(window('FREQ=DAILY'), far)).toEqual(far);
  });
});
