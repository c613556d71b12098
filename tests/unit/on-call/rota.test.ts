import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rota } from '@/server/on-call/rota/rota';
import { shiftAt } from '@/server/on-call/rota/shift-at';
import { layerTimelineOf, timelineOf } from '@/server/on-call/rota/timeline';
import { whoIsOnCall } from '@/server/on-call/rota/who-is-on-call';
import type { Layer } from '@/server/on-call/schema';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/time/schema';

const PEOPLE = ['mara', 'priya', 'tomas', 'jonas'];

const layer = (changes: Partial<Layer> = {}): Layer => ({
  name: 'Primary',
  userIds: ['mara', 'priya'],
  rotation: { unit: 'weeks', every: 1 },
  startDate: '2026-03-23',
  handoverTime: '08:00',
  restrictions: [],
  ...changes,
});

const rota = (changes: Partial<Rota> = {}): Rota => ({
  timezone: 'Europe/Berlin',
  layers: [layer()],
  overrides: [],
  members: new Set(PEOPLE),
  ...changes,
});

const shown = (given: Rota, from: string, to: string) =>
  timelineOf(given, new Date(from), new Date(to)).map(
    ({ startsAt, userId }) => `${startsAt.toISOString().slice(0, 16)} ${userId}`,
  );

describe('timelineOf', () => {
  it('hands over at 08:00 local time across both changes of the clocks', () => {
    expect(shown(rota(), '2026-03-23T07:00:00Z', '2026-04-07T00:00:00Z')).toEqual([
      '2026-03-23T07:00 mara',
      '2026-03-30T06:00 priya',
      '2026-04-06T06:00 mara',
    ]);
    expect(shown(rota(), '2026-10-20T00:00:00Z', '2026-11-03T00:00:00Z')).toEqual([
      '2026-10-20T00:00 mara',
      '2026-10-26T07:00 priya',
      '2026-11-02T07:00 mara',
    ]);
  });

  it('hands over an hour later on the day on which the clocks skip the hand-over time', () => {
    const daily = layer({ rotation: { unit: 'days', every: 1 }, startDate: '2026-03-28', handoverTime: '02:30' });
    expect(shown(rota({ layers: [daily] }), '2026-03-28T01:30:00Z', '2026-03-31T00:00:00Z')).toEqual([
      '2026-03-28T01:30 mara',
      '2026-03-29T01:30 priya',
      '2026-03-30T00:30 mara',
    ]);
  });

  it('counts turns by hours in elapsed time', () => {
    const hourly = layer({ rotation: { unit: 'hours', every: 12 }, startDate: '2026-03-28' });
    expect(shown(rota({ layers: [hourly] }), '2026-03-28T07:00:00Z', '2026-03-29T12:00:00Z')).toEqual([
      '2026-03-28T07:00 mara',
      '2026-03-28T19:00 priya',
      '2026-03-29T07:00 mara',
    ]);
  });

  it('uses a lower layer while the higher one is restricted, and shows a gap if there is none', () => {
    const days = layer({ restrictions: [{ days: [1, 2, 3, 4, 5], from: '09:00', to: '17:00' }] });
    const night = layer({ userIds: ['tomas'], restrictions: [{ days: [1], from: '17:00', to: '09:00' }] });
    expect(shown(rota({ layers: [days, night] }), '2026-03-30T00:00:00Z', '2026-04-01T00:00:00Z')).toEqual([
      '2026-03-30T00:00 null',
      '2026-03-30T07:00 priya',
      '2026-03-30T15:00 tomas',
      '2026-03-31T07:00 priya',
      '2026-03-31T15:00 null',
    ]);
  });

  it('lets overrides replace the layers, the latest one first', () => {
    const cover = (userId: string, from: string, to: string) => ({
      userId,
      startsAt: new Date(`2026-03-24T${from}:00Z`),
      endsAt: new Date(`2026-03-24T${to}:00Z`),
    });
    const overrides = [cover('jonas', '10:00', '14:00'), cover('tomas', '12:00', '13:00')];
    expect(shown(rota({ overrides }), '2026-03-24T00:00:00Z', '2026-03-25T00:00:00Z')).toEqual([
      '2026-03-24T00:00 mara',
      '2026-03-24T10:00 jonas',
      '2026-03-24T12:00 tomas',
      '2026-03-24T13:00 jonas',
      '2026-03-24T14:00 mara',
    ]);
  });

  it('shows a gap for the turns of a person who left, and keeps the turns of others', () => {
    const members = new Set(['priya']);
    expect(shown(rota({ members }), '2026-03-23T07:00:00Z', '2026-04-10T00:00:00Z')).toEqual([
      '2026-03-23T07:00 null',
      '2026-03-30T06:00 priya',
      '2026-04-06T06:00 null',
    ]);
  });

  it('has nobody before the first turn', () => {
    expect(shown(rota(), '2026-03-20T00:00:00Z', '2026-03-24T00:00:00Z')).toEqual([
      '2026-03-20T00:00 null',
      '2026-03-23T07:00 mara',
    ]);
  });

  it('shows a layer by itself', () => {
    const lower = layer({ userIds: ['jonas'] });
    const given = rota({ layers: [layer(), lower] });
    const shifts = layerTimelineOf(given, lower, new Date('2026-03-24T00:00:00Z'), new Date('2026-03-30T00:00:00Z'));
    expect(shifts.map(({ userId }) => userId)).toEqual(['jonas']);
  });
});

const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 30, 59))
  .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
const anyLayer: fc.Arbitrary<Layer> = fc.record({
  name: fc.constant('Layer'),
  userIds: fc.array(fc.constantFrom(...PEOPLE, 'left'), { minLength: 1, maxLength: 5 }),
  rotation: fc.oneof(
    fc.record({ unit: fc.constant('hours' as const), every: fc.integer({ min: 1, max: 48 }) }),
    fc.record({ unit: fc.constantFrom('days' as const, 'weeks' as const), every: fc.integer({ min: 1, max: 3 }) }),
  ),
  startDate: fc.constantFrom('2025-01-01', '2026-03-01', '2026-03-29', '2026-10-20', '2026-10-25'),
  handoverTime: time,
  restrictions: fc.array(
    fc.record({
      days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }),
      from: time,
      to: time,
    }),
    { maxLength: 2 },
  ),
});
/** Around both changes of the clocks in Berlin, New York and Lord Howe (half an hour). */
const anyInstant = fc
  .tuple(
    fc.constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-03-08T07:00:00Z', '2026-04-04T15:00:00Z'),
    fc.integer({ min: -20 * 24 * 60, max: 20 * 24 * 60 }),
  )
  .map(([edge, minutes]) => Date.parse(edge) + minutes * MINUTE_MS);
const anyRota: fc.Arbitrary<Rota> = fc.record({
  timezone: fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC'),
  layers: fc.array(anyLayer, { minLength: 1, maxLength: 3 }),
  overrides: fc.array(
    fc
      .tuple(fc.constantFrom(...PEOPLE, 'left'), anyInstant, fc.integer({ min: 1, max: 72 }))
      .map(([userId, at, hours]) => ({ userId, startsAt: new Date(at), endsAt: new Date(at + hours * HOUR_MS) })),
    { maxLength: 3 },
  ),
  members: fc.constant(new Set(PEOPLE)),
});

it('covers any range exactly, and agrees with whoIsOnCall at any moment of it', { timeout: 60_000 }, () => {
  const property = fc.property(
    anyRota,
    anyInstant,
    fc.integer({ min: 1, max: 20 }),
    fc.array(fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), { minLength: 10, maxLength: 10 }),
    (given, start, days, places) => {
      const [from, to] = [new Date(start), new Date(start + days * DAY_MS)];
      const shifts = timelineOf(given, from, to);
      expect(shifts[0]?.startsAt).toEqual(from);
      expect(shifts.at(-1)?.endsAt).toEqual(to);
      for (const [index, { startsAt, endsAt, userId, isOverride }] of shifts.entries()) {
        expect(endsAt > startsAt).toBe(true);
        const next = shifts[index + 1];
        if (next) expect(next.startsAt).toEqual(endsAt);
        if (next) expect([next.userId, next.isOverride]).not.toEqual([userId, isOverride]);
        expect(whoIsOnCall(given, startsAt)).toBe(userId);
        expect(whoIsOnCall(given, new Date(endsAt.getTime() - 1))).toBe(userId);
      }
      for (const place of places) {
        const at = new Date(from.getTime() + Math.floor(place * (to.getTime() - from.getTime())));
        const shift = shifts.find((each) => each.startsAt <= at && at < each.endsAt);
        expect(whoIsOnCall(given, at)).toBe(shift?.userId);
      }
    },
  );
  fc.assert(property, { numRuns: 150 });
});

it('finds the same shift at a moment as the timeline of two weeks before and after it', { timeout: 60_000 }, () => {
  const property = fc.property(anyRota, anyInstant, (given, moment) => {
    const [at, span] = [new Date(moment), 14 * DAY_MS];
    const whole = timelineOf(given, new Date(moment - span), new Date(moment + span));
    const { goesOn, ...shift } = shiftAt(given, at);
    expect(shift).toEqual(whole.find(({ startsAt, endsAt }) => startsAt <= at && at < endsAt));
    expect(goesOn).toBe(shift.endsAt.getTime() === moment + span);
  });
  fc.assert(property, { numRuns: 200 });
});

it('takes the latest of overlapping overrides at any moment', { timeout: 60_000 }, () => {
  const start = Date.parse('2026-03-01T00:00:00Z');
  const override = fc.record({
    userId: fc.constantFrom(...PEOPLE, 'left'),
    from: fc.integer({ min: 0, max: 60 }),
    hours: fc.integer({ min: 1, max: 40 }),
  });
  const property = fc.property(fc.array(override, { maxLength: 40 }), (given) => {
    const overrides = given.map(({ userId, from, hours }) => ({
      userId,
      startsAt: new Date(start + from * HOUR_MS),
      endsAt: new Date(start + (from + hours) * HOUR_MS),
    }));
    const covered = rota({ overrides });
    for (const { startsAt, endsAt, userId } of timelineOf(covered, new Date(start), new Date(start + 4 * DAY_MS))) {
      for (let at = startsAt.getTime(); at < endsAt.getTime(); at += HOUR_MS) {
        expect(whoIsOnCall(covered, new Date(at))).toBe(userId);
      }
    }
  });
  fc.assert(property, { numRuns: 100 });
});
