import { describe, expect, it } from 'vitest';
import { keptSkips, withoutSkip, withSkip } from '@/server/maintenance/occurrences/skip-occurrence';
import {
  nextOccurrence,
  occurrenceAround,
  occurrenceFrom,
  occurrencesOf,
  skippedOf,
  type Times,
  whyNoRecurrence,
} from '@/server/maintenance/recurrence/recurrence';

const HOUR_MS = 3_600_000;

const window = (startsAt: string, recurrence: string | null, timezone = 'UTC', hours = 1): Times => ({
  startsAt: new Date(startsAt),
  endsAt: new Date(Date.parse(startsAt) + hours * HOUR_MS),
  recurrence,
  timezone,
});
const starts = (times: Times, from: string, to: string) =>
  occurrencesOf(times, new Date(from), new Date(to)).map(({ startsAt }) => startsAt.toISOString().slice(0, 16));

describe('changed ends', () => {
  const daily = window('2026-11-01T10:00:00Z', 'FREQ=DAILY');
  const at = (time: string) => new Date(`2026-11-${time}Z`);
  const changed = (starts: string[], ends: string[]) => ({
    ...daily,
    changedStarts: starts.map(at),
    changedEnds: ends.map(at),
  });

  it('ends one occurrence at its changed end, and the others as the rule says', () => {
    const times = changed(['02T10:00'], ['02T10:20']);
    const ends = occurrencesOf(times, at('01T00:00'), at('04T00:00')).map(({ endsAt }) => endsAt);
    expect(ends).toEqual([at('01T11:00'), at('02T10:20'), at('03T11:00')]);
    expect(nextOccurrence(times, at('02T10:20'))?.startsAt).toEqual(at('03T10:00'));
  });

  it('finds an occurrence that was extended beyond the length of the rule', () => {
    const times = changed(['02T10:00'], ['02T14:00']);
    expect(nextOccurrence(times, at('02T13:00'))).toEqual({ startsAt: at('02T10:00'), endsAt: at('02T14:00') });
    expect(occurrencesOf(times, at('02T13:00'), at('02T13:01'))).toHaveLength(1);
  });
});

describe('skipped occurrences', () => {
  const at = (time: string) => new Date(`2026-11-${time}Z`);
  const daily = window('2026-11-01T10:00:00Z', 'FREQ=DAILY;COUNT=3');
  const skipping = (...starts: string[]): Times => ({ ...daily, skippedStarts: starts.map(at) });

  it('do not take place, and the others do', () => {
    expect(starts(skipping('02T10:00'), '2026-11-01', '2026-11-09')).toEqual(['2026-11-01T10:00', '2026-11-03T10:00']);
    expect(nextOccurrence(skipping('02T10:00'), at('01T11:00'))?.startsAt).toEqual(at('03T10:00'));
    expect(occurrenceAround(skipping('02T10:00'), at('02T10:30'))).toBeNull();
  });

  it('leave no next one if all are skipped', () => {
    const times = skipping('03T10:00', '01T10:00', '02T10:00');
    expect(nextOccurrence(times, at('01T00:00'))).toBeNull();
    expect(skippedOf(times).map(({ startsAt }) => startsAt)).toEqual([at('01T10:00'), at('02T10:00'), at('03T10:00')]);
  });

  it('finds skipped occurrences by the rule, whatever else starts at other times', () => {
    expect(occurrenceFrom(skipping('02T10:00'), at('02T10:00'))?.endsAt).toEqual(at('02T11:00'));
    for (const none of ['02T10:01', '04T10:00']) expect(occurrenceFrom(daily, at(none))).toBeNull();
  });

  it('skips an occurrence once, and keeps it skipped when times change to others that have it', () => {
    const now = at('01T00:00');
    expect(withSkip(skipping('02T10:00'), at('02T10:00'), now)).toBeNull();
    expect(withSkip(skipping('02T10:00'), at('01T10:00'), now)).toEqual([at('01T10:00'), at('02T10:00')]);
    expect(withoutSkip(skipping('02T10:00'), at('02T10:00'), now)).toEqual([]);
    expect(withoutSkip(daily, at('02T10:00'), now)).toBeNull();
    const weekly = { ...daily, recurrence: 'FREQ=WEEKLY;BYDAY=MO' };
    expect(keptSkips(skipping('02T10:00', '03T10:00'), weekly)).toEqual([at('02T10:00')]);
  });

  it.each([
    ['starts at another time', '02T10:01', '01T00:00', 'starts at this time'],
    ['has started, to the millisecond', '01T10:00', '01T10:00', 'can only be ended'],
    ['is over', '01T10:00', '01T11:00', 'is over'],
  ])('cannot be skipped if it %s', (_name, start, now, message) => {
    expect(() => withSkip(daily, at(start), at(now))).toThrow(message);
  });

  it('cannot take place after all once their time has come', () => {
    expect(() => withoutSkip(skipping('01T10:00'), at('01T10:00'), at('01T10:00'))).toThrow('has passed');
    const before = new Date(at('01T10:00').getTime() - 1);
    expect(withoutSkip(skipping('01T10:00'), at('01T10:00'), before)).toEqual([]);
  });

  const day = (count: number) => new Date(at('01T10:00').getTime() + count * 24 * HOUR_MS);
  const full: Times = {
    ...window('2026-11-01T10:00:00Z', 'FREQ=DAILY'),
    skippedStarts: Array.from({ length: 400 }, (_, count) => day(count)),
  };

  it('keeps at most 400 coming skipped occurrences, and drops those that ended two weeks ago', () => {
    expect(() => withSkip(full, day(500), at('01T00:00'))).toThrow('at most 400');
    expect(withSkip(full, day(500), day(14))).toHaveLength(401);
    const later = withSkip(full, day(500), new Date(day(14).getTime() + HOUR_MS));
    expect(later).toEqual([...(full.skippedStarts ?? []).slice(1), day(500)]);
  });

  it('stay skipped while they would be running, however many are skipped after them', () => {
    const now = new Date(day(0).getTime() + HOUR_MS / 2);
    const skippedStarts = withSkip(full, day(400), now) ?? [];
    expect(occurrenceAround({ ...full, skippedStarts }, now)).toBeNull();
  });
});

describe('occurrencesOf', () => {
  it.each([
    [
      'keeps the time of day over the start of daylight saving, moving a skipped time behind the gap',
      window('2026-03-27T01:30:00Z', 'FREQ=DAILY', 'Europe/Berlin'),
      ['2026-03-27', '2026-04-01'],
      ['2026-03-27T01:30', '2026-03-28T01:30', '2026-03-29T01:30', '2026-03-30T00:30', '2026-03-31T00:30'],
    ],
    [
      'keeps the time of day over the end of daylight saving, taking a repeated time once, the first time',
      window('2026-10-23T00:30:00Z', 'FREQ=DAILY', 'Europe/Berlin'),
      ['2026-10-24', '2026-10-28'],
      ['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30', '2026-10-27T01:30'],
    ],
    [
      'has one occurrence at a time that comes twice because the zone skips a day',
      window('2011-12-29T20:00:00Z', 'FREQ=DAILY', 'Pacific/Apia'),
      ['2011-12-29', '2012-01-01'],
      ['2011-12-29T20:00', '2011-12-30T20:00', '2011-12-31T20:00'],
    ],
    [
      'follows a zone that moves its clock by half an hour',
      window('2026-10-02T15:45:00Z', 'FREQ=DAILY', 'Australia/Lord_Howe'),
      ['2026-10-02', '2026-10-06'],
      ['2026-10-02T15:45', '2026-10-03T15:45', '2026-10-04T15:15', '2026-10-05T15:15'],
    ],
    [
      'takes the last day of every month',
      window('2026-01-31T04:00:00Z', 'FREQ=MONTHLY;BYMONTHDAY=-1'),
      ['2026-01-01', '2026-05-01'],
      ['2026-01-31T04:00', '2026-02-28T04:00', '2026-03-31T04:00', '2026-04-30T04:00'],
    ],
    [
      'leaves out months without a 31st',
      window('2026-01-31T04:00:00Z', 'FREQ=MONTHLY;BYMONTHDAY=31'),
      ['2026-01-01', '2026-06-01'],
      ['2026-01-31T04:00', '2026-03-31T04:00', '2026-05-31T04:00'],
    ],
    [
      'takes 29 February in leap years only',
      window('2024-02-29T04:00:00Z', 'FREQ=YEARLY'),
      ['2024-01-01', '2033-01-01'],
      ['2024-02-29T04:00', '2028-02-29T04:00', '2032-02-29T04:00'],
    ],
    [
      'takes the last Friday of a month',
      window('2026-11-27T04:00:00Z', 'FREQ=MONTHLY;BYDAY=-1FR'),
      ['2026-11-01', '2027-02-01'],
      ['2026-11-27T04:00', '2026-12-25T04:00', '2027-01-29T04:00'],
    ],
    [
      'ends at an UNTIL in UTC, which is another day in the zone',
      window('2026-11-21T16:00:00Z', 'FREQ=DAILY;UNTIL=20261123T160000Z', 'Asia/Tokyo'),
      ['2026-11-01', '2026-12-01'],
      ['2026-11-21T16:00', '2026-11-22T16:00', '2026-11-23T16:00'],
    ],
    [
      'ends after COUNT occurrences, however late one asks',
      window('2026-11-22T04:00:00Z', 'FREQ=WEEKLY;COUNT=3'),
      ['2026-11-28', '2027-12-01'],
      ['2026-11-29T04:00', '2026-12-06T04:00'],
    ],
    [
      'finds the one that is running',
      window('2026-11-22T04:00:00Z', 'FREQ=WEEKLY', 'UTC', 30),
      ['2026-11-30T09:00:00Z', '2026-11-30T09:00:01Z'],
      ['2026-11-29T04:00'],
    ],
    [
      'takes a window without a rule once',
      window('2026-11-22T04:00:00Z', null),
      ['2026-11-22', '2027-01-01'],
      ['2026-11-22T04:00'],
    ],
  ])('%s', (_name, times, [from = '', to = ''], expected) => {
    expect(starts(times, from, to)).toEqual(expected);
  });

  it('makes every occurrence last as long as the first, in seconds', () => {
    const over = window('2026-03-27T00:30:00Z', 'FREQ=DAILY', 'Europe/Berlin', 3);
    for (const each of occurrencesOf(over, new Date('2026-03-27'), new Date('2026-04-02'))) {
      expect(each.endsAt.getTime() - each.startsAt.getTime()).toBe(3 * HOUR_MS);
    }
  });

  it('starts with a first occurrence in the repeated hour where that was asked for', () => {
    const second = window('2026-10-25T01:30:00Z', 'FREQ=DAILY', 'Europe/Berlin');
    expect(starts(second, '2026-10-25', '2026-10-27')).toEqual(['2026-10-25T01:30', '2026-10-26T01:30']);
  });
});

describe('nextOccurrence', () => {
  it.each([
    ['the running one', '2026-11-22T04:30:00Z', '2026-11-22T04:00:00.000Z'],
    ['the next one at the end of one', '2026-11-22T05:00:00Z', '2026-11-29T04:00:00.000Z'],
    ['the first one before all', '2020-01-01T00:00:00Z', '2026-11-22T04:00:00.000Z'],
    ['none after the last', '2026-12-06T05:00:00Z', undefined],
  ])('returns %s', (_name, at, expected) => {
    const times = window('2026-11-22T04:00:00Z', 'FREQ=WEEKLY;COUNT=3');
    expect(nextOccurrence(times, new Date(at))?.startsAt.toISOString()).toBe(expected);
  });
});

describe('whyNoRecurrence', () => {
  it.each([
    [
      'a date that never comes',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      'This rule never matches a date, or none within ten years.',
    ],
    [
      'an end before the start',
      'FREQ=DAILY;UNTIL=20200101T000000Z',
      'This rule never matches a date, or none within ten years.',
    ],
    ['what is no rule', 'FREQ=SOMETIMES', 'Enter a rule such as FREQ=WEEKLY;BYDAY=SU.'],
    ['a good rule', 'FREQ=WEEKLY;BYDAY=SU', null],
  ])('reports %s', (_name, rule, expected) => {
    expect(whyNoRecurrence(window('2026-11-22T04:00:00Z', rule))).toBe(expected);
  });
});
