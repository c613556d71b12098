import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterEach, expect, it, vi } from 'vitest';
import { timelineOf } from '@/server/on-call/rota/timeline';
import { turnsOf } from '@/server/on-call/rota/turns';
import { CreateScheduleInput, changesPerDay, type Layer, longestTimeline } from '@/server/on-call/schema';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/time/schema';

const layer = (changes: Partial<Layer> = {}): Layer => ({
  name: 'Primary',
  userIds: ['mara', 'priya'],
  rotation: { unit: 'weeks', every: 1 },
  startDate: '2026-03-23',
  handoverTime: '08:00',
  restrictions: [],
  ...changes,
});

/** The start of a turn as the calendar of the zone has it. */
function startByCalendar(
  { startDate, handoverTime, rotation: { unit, every } }: Layer,
  timeZone: string,
  turn: number,
) {
  const first = Temporal.PlainDate.from(startDate);
  const on = (date: Temporal.PlainDate) =>
    date.toZonedDateTime({ timeZone, plainTime: handoverTime }).epochMilliseconds;
  if (unit === 'hours') return on(first) + turn * every * HOUR_MS;
  return on(first.add({ days: turn * every * (unit === 'days' ? 1 : 7) }));
}

const anyLayer = fc
  .record({
    rotation: fc.record({
      unit: fc.constantFrom('hours' as const, 'days' as const, 'weeks' as const),
      every: fc.integer({ min: 1, max: 30 }),
    }),
    startDate: fc.constantFrom('2025-01-01', '2026-03-01', '2026-03-29', '2026-10-20', '2026-10-25'),
    handoverTime: fc.constantFrom('00:00', '01:59', '02:30', '03:00', '08:00', '23:59'),
  })
  .map((changes) => layer(changes));
const anyMoment = fc
  .tuple(
    fc.constantFrom('2026-03-29T01:00:00Z', '2026-10-25T01:00:00Z', '2026-03-08T07:00:00Z', '2026-04-04T15:00:00Z'),
    fc.integer({ min: -40 * 24 * 60, max: 40 * 24 * 60 }),
  )
  .map(([edge, minutes]) => Date.parse(edge) + minutes * MINUTE_MS);
const zone = fc.constantFrom('Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'UTC');

afterEach(() => vi.restoreAllMocks());

it('finds the turn of a moment that stepping from the first turn finds', { timeout: 120_000 }, () => {
  const property = fc.property(anyLayer, zone, anyMoment, (given, timezone, at) => {
    let turn = -1;
    while (startByCalendar(given, timezone, turn + 1) <= at) turn += 1;
    const { startOf, turnAt } = turnsOf(given, timezone);
    const found = turnAt(at);
    if (turn < 0) expect(found).toBeLessThan(0);
    else expect([found, startOf(found)]).toEqual([turn, startByCalendar(given, timezone, turn)]);
  });
  fc.assert(property, { numRuns: 150 });
});

const hourly = layer({
  rotation: { unit: 'hours', every: 1 },
  startDate: '1970-01-01',
  restrictions: Array.from({ length: 10 }, (_, hour) => ({
    days: [1, 2, 3, 4, 5, 6, 7],
    from: `${10 + hour}:00`,
    to: `${10 + hour}:30`,
  })),
});

it('converts each day of a range once, for any number of layers that started in 1970', () => {
  const layers = Array.from({ length: 10 }, () => hourly);
  const asked = vi.spyOn(Temporal.Instant, 'fromEpochMilliseconds');
  const from = new Date('2071-01-05T00:00:00Z');
  timelineOf(
    { timezone: 'Asia/Tokyo', layers, overrides: [], members: new Set(['mara']) },
    from,
    new Date(from.getTime() + 28 * DAY_MS),
  );
  // The days of the range, and those around the first turn and both ends.
  expect(asked.mock.calls.length).toBeLessThanOrEqual(28 + 12);
});

it('refuses layers that change more than 48 times a day, and says how often these do', () => {
  const input = (layers: Layer[]) => CreateScheduleInput.safeParse({ name: 'Payments', layers });
  const plain = { ...hourly, restrictions: [] };
  expect(changesPerDay([plain, plain])).toBe(48);
  expect(input([plain, plain]).success).toBe(true);
  const refused = input(Array.from({ length: 10 }, () => hourly));
  expect(refused.error?.issues[0]).toMatchObject({ path: ['layers'], message: expect.stringContaining('440 times') });
});

it('allows 92 days of a timeline to 16 changes a day, and fewer to layers that change more often', () => {
  expect(longestTimeline([layer({ rotation: { unit: 'hours', every: 2 } })])).toBe(92);
  expect(longestTimeline(Array.from({ length: 10 }, () => hourly))).toBe(3);
});
