import { expect, it } from 'vitest';
import { keepWatch, knownUntil, type Watched } from '@/server/history/watch';

const MINUTE = 60_000;
const START = Date.parse('2026-05-01T10:00:00Z');
const minute = (n: number) => new Date(START + n * MINUTE);
const monitor = (changes: Partial<Watched> = {}): Watched => ({
  intervalSeconds: 3_600,
  config: { timeoutMs: 10_000 },
  watchChangedAt: null,
  formerWatchMs: null,
  ...changes,
});
/** A monitor's state after edits of its interval (in seconds) at these minutes. */
function edit(edits: [atMinute: number, intervalSeconds: number][], lastCheckedAt: Date | null, before = monitor()) {
  let row = before;
  for (const [at, intervalSeconds] of edits) {
    row = {
      ...row,
      intervalSeconds,
      ...keepWatch(row, { ...row, intervalSeconds }, { at: minute(at), lastCheckedAt }),
    };
  }
  return row;
}
const untilMinute = (row: Watched, checkedAt: Date | null) => {
  const until = knownUntil(row, checkedAt);
  return until && (until.getTime() - START) / MINUTE;
};

const HOURLY = 120 + 1 / 6;
const EACH_MINUTE = 2 + 1 / 6;

it.each<[string, [number, number][], number, number]>([
  ['without an edit', [], 0, HOURLY],
  ['with a shortened interval and a valid check', [[50, 60]], 0, 50 + EACH_MINUTE],
  ['with an interval shortened shortly before the check expires', [[120, 60]], 0, HOURLY],
  ['with an interval shortened after the check expired', [[200, 60]], 0, HOURLY],
  ['with a shortened interval and a later check', [[50, 60]], 51, 51 + EACH_MINUTE],
  [
    'with two edits and no check between',
    [
      [50, 60],
      [51, 30],
    ],
    0,
    51 + 1 + 1 / 6,
  ],
  [
    'with a shortened and restored interval and no check between',
    [
      [50, 60],
      [51, 3_600],
    ],
    0,
    HOURLY,
  ],
  [
    'with two edits and a check between',
    [
      [50, 60],
      [60, 7_200],
    ],
    55,
    55 + EACH_MINUTE,
  ],
])('treats a monitor %s as known until its last check expires', (_name, edits, checked, until) => {
  const checkedAt = minute(checked);
  expect(untilMinute(edit(edits, checkedAt), checkedAt)).toBeCloseTo(until, 6);
});

it('neither revives an expired check nor cuts a future one when the interval grows', () => {
  const short = monitor({ intervalSeconds: 60 });
  const row = edit([[50, 3_600]], minute(0), short);
  expect(untilMinute(row, minute(0))).toBeCloseTo(EACH_MINUTE, 6);
  expect(untilMinute(row, minute(50))).toBeCloseTo(50 + HOURLY, 6);
});

it('includes the timeout of a check', () => {
  const before = monitor({ intervalSeconds: 60, config: { graceSeconds: 86_400 } });
  const kept = keepWatch(before, { ...before, config: { graceSeconds: 60 } }, { at: minute(9), lastCheckedAt: null });
  expect(kept).toEqual({ watchChangedAt: minute(9), formerWatchMs: 86_520_000 });
});

it('ignores an edit that changes neither interval nor timeout', () => {
  const row = monitor();
  const after = { ...row, config: { timeoutMs: 10_000, url: 'http://other.test/' } };
  expect(keepWatch(row, after, { at: minute(9), lastCheckedAt: minute(1) })).toEqual({
    watchChangedAt: null,
    formerWatchMs: null,
  });
});

it('knows no status of a monitor without checks', () => {
  expect(untilMinute(edit([[50, 60]], null), null)).toBeNull();
});
