import { describe, expect, it } from 'vitest';
import { nextSendAt, partsAllowed } from '@/server/notifications/deliveries/pace';

const at = (seconds: number) => new Date(Date.UTC(2026, 10, 20) + seconds * 1000);
const pace = (recent: number[], maxPerMinute = 5) => ({ recent: recent.map(at), windowMs: 15_000, maxPerMinute });

describe('nextSendAt', () => {
  it.each([
    ['sends the first message at once', [], 0, 0],
    ['sends the second a third of the window after the first', [0], 1, 5],
    ['sends the second at once after a third of the window', [0], 6, 6],
    ['sends the third a window after the second', [0, 5], 6, 20],
    ['sends every further one a window later', [0, 5, 20], 21, 35],
    ['starts anew after a pause', [0, 5, 20], 60, 60],
    ['waits a third of the window again after a pause', [0, 5, 20, 60], 61, 65],
    ['counts the parts of one message as one', [0, 5, 5, 5], 6, 20],
    ['waits until the cap allows one more', [0, 5, 5, 5, 5], 6, 60],
    ['forgets what was sent more than a minute ago', [0, 5, 5, 5, 5], 61, 61],
  ])('%s', (_, recent, now, expected) => {
    expect(nextSendAt(pace(recent), at(now))).toEqual(at(expected));
  });

  it('obeys a cap of one message per minute', () => {
    expect(nextSendAt(pace([0], 1), at(10))).toEqual(at(60));
  });
});

describe('partsAllowed', () => {
  it.each([
    ['at most four', [], 30, 4],
    ['what the cap leaves', [0, 5], 5, 3],
    ['one, even if the cap leaves none', [0, 5, 5, 5, 5], 5, 1],
  ])('allows %s', (_, recent, maxPerMinute, expected) => {
    expect(partsAllowed(pace(recent, maxPerMinute), at(6))).toBe(expected);
  });
});
