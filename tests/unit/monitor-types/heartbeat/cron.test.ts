import { afterEach, describe, expect, it, vi } from 'vitest';
import { isCron, longestGapSeconds, nextRun } from '@/server/monitor-types/heartbeat/cron';

const HOUR_S = 3600;
const DAY_S = 24 * HOUR_S;

/** The next runs after a time, in UTC without seconds. */
function runsAfter(cron: string, timezone: string, after: string, count: number): string[] {
  const runs: string[] = [];
  for (let at = new Date(after); runs.length < count; ) {
    const next = nextRun(cron, timezone, at);
    if (!next) break;
    runs.push(next.toISOString().slice(5, 16));
    at = next;
  }
  return runs;
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe.each(['UTC', 'Europe/Berlin', 'America/New_York'])('nextRun in a process in %s', (processZone) => {
  it.each([
    // Clocks go from 02:00 to 03:00 on 29 March 2026 (01:00 UTC), and from 03:00 to 02:00 on 25 October (01:00 UTC).
    ['30 2 * * *', 'Europe/Berlin', '2026-03-28T12:00Z', ['03-29T01:00', '03-30T00:30']],
    ['0 * * * *', 'Europe/Berlin', '2026-03-28T23:30Z', ['03-29T00:00', '03-29T01:00', '03-29T02:00']],
    ['0 1-4 * * *', 'Europe/Berlin', '2026-03-28T23:30Z', ['03-29T00:00', '03-29T01:00', '03-29T02:00']],
    ['30 2 * * *', 'Europe/Berlin', '2026-10-24T12:00Z', ['10-25T00:30', '10-26T01:30']],
    ['0 * * * *', 'Europe/Berlin', '2026-10-24T23:30Z', ['10-25T00:00', '10-25T01:00', '10-25T02:00']],
    ['0 1-4 * * *', 'Europe/Berlin', '2026-10-24T22:30Z', ['10-24T23:00', '10-25T00:00', '10-25T02:00']],
    ['0,30 2 * * *', 'Europe/Berlin', '2026-10-24T22:30Z', ['10-25T00:00', '10-25T00:30', '10-26T01:00']],
    ['0 2,14 * * *', 'Europe/Berlin', '2026-10-24T22:30Z', ['10-25T00:00', '10-25T13:00', '10-26T01:00']],
    // Clocks go from 02:00 to 03:00 on 8 March 2026 (07:00 UTC), and from 02:00 to 01:00 on 1 November (06:00 UTC).
    ['30 2 * * *', 'America/New_York', '2026-03-07T12:00Z', ['03-08T07:00', '03-09T06:30']],
    ['30 1 * * *', 'America/New_York', '2026-10-31T12:00Z', ['11-01T05:30', '11-02T06:30']],
    ['*/30 * * * *', 'America/New_York', '2026-11-01T05:15Z', ['11-01T05:30', '11-01T06:00', '11-01T06:30']],
    // Half an hour, at 02:00 on 5 April 2026 (15:00 UTC).
    ['45 1 * * *', 'Australia/Lord_Howe', '2026-04-03T20:00Z', ['04-04T14:45', '04-05T15:15']],
    ['0 0 31 * *', 'UTC', '2026-01-31T00:00Z', ['03-31T00:00', '05-31T00:00', '07-31T00:00']],
    ['0 0 L * *', 'UTC', '2028-01-31T00:00Z', ['02-29T00:00', '03-31T00:00']],
    ['59 23 31 12 *', 'UTC', '2026-12-31T23:59Z', ['12-31T23:59']],
    ['0 0 29 2 *', 'UTC', '2026-02-28T00:00Z', ['02-29T00:00', '02-29T00:00']],
  ])('follows %s in %s after %s', (cron, timezone, after, wanted) => {
    vi.stubEnv('TZ', processZone);
    expect(runsAfter(cron, timezone, after, wanted.length)).toEqual(wanted);
  });
});

describe('the work on a schedule that hardly ever runs', () => {
  const FIFTHS = [0, 1, 2, 3, 4, 5, 6].map((day) => `${day}#5`).join();
  const WEEKDAYS = Array.from({ length: 31 }, (_, day) => `${day + 1}W`).join();

  /** How often croner looks at a time in a zone and at a date. Without a bound: 175,000 and 4,000,000. */
  function countWork(work: () => void): { zoned: number; dates: number } {
    const zoned = vi.spyOn(Intl.DateTimeFormat.prototype, 'formatToParts');
    const dates = vi.spyOn(Date, 'UTC');
    work();
    const count = { zoned: zoned.mock.calls.length, dates: dates.mock.calls.length };
    vi.restoreAllMocks();
    return count;
  }

  it.each([
    ['* 2 * 3 0L', 'Europe/Berlin'],
    ['* 2 * 3 0#2', 'America/New_York'],
    ['* 0 * 4 5L', 'Africa/Cairo'],
    ['* 0 * 9 0#1', 'America/Santiago'],
    ['*/7 2 31 3 +0', 'Europe/Berlin'],
    ['0 0 30 2 *', 'Europe/Berlin'],
    ['0 0 29 2 +1', 'Europe/Berlin'],
    [`0 0 1-28 2 +${FIFTHS}`, 'UTC'],
    [`* * ${WEEKDAYS} * +0`, 'UTC'],
    [`* * ${WEEKDAYS},1 * +0#1`, 'UTC'],
  ])('is bounded for %s in %s', (cron, timezone) => {
    const run = countWork(() => nextRun(cron, timezone, new Date('2026-11-23T00:00Z')));
    expect(run.zoned).toBeLessThan(6_000);
    expect(run.dates).toBeLessThan(150_000);
    expect(countWork(() => longestGapSeconds(cron)).dates).toBeLessThan(300_000);
  });
});

describe('longestGapSeconds', () => {
  it.each([
    ['* * * * *', 60],
    ['*/5 * * * *', 300],
    ['0 * * * *', HOUR_S],
    ['30 3 * * *', DAY_S],
    ['0 2,14 * * *', 12 * HOUR_S],
    ['0 3,4 * * *', 23 * HOUR_S],
    ['*/5 8-18 * * *', 13 * HOUR_S + 300],
    ['*/5 8-18 * * 1-5', 61 * HOUR_S + 300],
    ['0 9 * * 1-5', 3 * DAY_S],
    ['0 9 * * MON', 7 * DAY_S],
    ['0 0 1 * *', 31 * DAY_S],
    ['0 0 L * *', 31 * DAY_S],
    ['0 0 1-20 * *', 12 * DAY_S],
    ['0 3 * 1-3 *', (365 - 90 + 1) * DAY_S],
    ['0 3 * 12 *', (365 - 31 + 1) * DAY_S],
    ['0 0 1 1 *', 366 * DAY_S],
    ['0 0 13 * 5', 7 * DAY_S],
    ['0 0 31 * *', 61 * DAY_S],
  ])('returns the longest gap of %s: %i s', (cron, seconds) => {
    expect(longestGapSeconds(cron)).toBe(seconds);
  });

  it('reaches from one 29 February to the next', () => {
    expect(longestGapSeconds('0 0 29 2 *')).toBeGreaterThanOrEqual(4 * 365 * DAY_S);
  });
});

describe('isCron', () => {
  it('reads no schedule over 200 characters, since what it read is kept', () => {
    const minutes = (count: number) => `0 0 ${new Array(count).fill('1').join(',')} * *`;
    expect(isCron(minutes(90))).toBe(true);
    expect(isCron(minutes(100))).toBe(false);
  });
});
