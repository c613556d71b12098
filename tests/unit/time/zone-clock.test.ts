import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { afterEach, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@/server/time/schema';
import { zoneClock } from '@/server/time/zone-clock';

const zone = fc.constantFrom(
  ...['UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'Asia/Gaza'],
  ...['Pacific/Apia', 'Asia/Kathmandu', 'America/St_Johns', 'Europe/Dublin', 'Pacific/Kiritimati', 'Africa/Monrovia'],
);
const anyTime = fc.integer({ min: 0, max: Date.parse('2200-01-01') / MINUTE_MS }).map((minutes) => minutes * MINUTE_MS);
/** Near the change of a zone's clocks that follows. */
const nearChange = (timezone: string, at: number, offset: number): number => {
  const start = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone);
  return (start.getTimeZoneTransition('next')?.epochMilliseconds ?? at) + offset;
};
const anyCase = fc
  .tuple(zone, anyTime, fc.integer({ min: -3 * 24 * 60, max: 3 * 24 * 60 }), fc.boolean())
  .map(([timezone, at, minutes, isNear]) => ({
    timezone,
    at: isNear ? nearChange(timezone, at, minutes * MINUTE_MS) : at,
  }));

afterEach(() => vi.restoreAllMocks());

it('converts moments to wall-clock times and back as Temporal does', { timeout: 60_000 }, () => {
  const property = fc.property(anyCase, ({ timezone, at }) => {
    const shown = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timezone).toPlainDateTime();
    expect(zoneClock(timezone).wallOf(at)).toBe(shown.toZonedDateTime('UTC').epochMilliseconds);
    const wall = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO('UTC').toPlainDateTime();
    expect(zoneClock(timezone).momentOf(at)).toBe(wall.toZonedDateTime(timezone).epochMilliseconds);
  });
  fc.assert(property, { numRuns: 1_500 });
});

it('asks the library once a day, however many times of a day are converted', () => {
  const asked = vi.spyOn(Temporal.Instant, 'fromEpochMilliseconds');
  const start = Date.parse('2090-05-01');
  for (let at = start; at < start + 30 * DAY_MS; at += HOUR_MS / 4) zoneClock('Europe/Vienna').momentOf(at);
  expect(asked.mock.calls.length).toBeLessThanOrEqual(33);
});
