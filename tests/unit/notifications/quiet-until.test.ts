import { describe, expect, it } from 'vitest';
import { quietUntil } from '@/server/notifications/rules/quiet-until';
import { type QuietHours, weekdays } from '@/server/notifications/rules/rules';

const night: QuietHours = {
  days: ['MO', 'TU', 'WE', 'TH', 'FR'],
  from: '22:00',
  to: '07:00',
  timezone: 'Europe/Berlin',
  sendsCritical: true,
};
const everyDay = { ...night, days: [...weekdays] };
const at = (text: string) => quietUntil(night, new Date(text))?.toISOString() ?? null;

describe('quietUntil', () => {
  // 2026-11-20 is a Friday; Berlin is one hour ahead of UTC.
  it.each([
    ['is null before the start', '2026-11-20T20:59:59Z', null],
    ['starts at the start', '2026-11-20T21:00:00Z', '2026-11-21T06:00:00.000Z'],
    ['lasts over midnight, by the day on which it started', '2026-11-21T05:59:59Z', '2026-11-21T06:00:00.000Z'],
    ['ends at the end', '2026-11-21T06:00:00Z', null],
    ['does not start on other days', '2026-11-21T21:00:00Z', null],
    ['does not last into a day after one without', '2026-11-23T05:00:00Z', null],
    ['is null by day', '2026-11-23T11:00:00Z', null],
  ])('%s', (_, now, expected) => {
    expect(at(now)).toBe(expected);
  });

  it.each([
    ['in spring, when the clock skips an hour', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00.000Z'],
    ['in autumn, when an hour comes twice', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00.000Z'],
  ])('ends at its wall-clock time %s', (_, now, expected) => {
    expect(quietUntil(everyDay, new Date(now))?.toISOString()).toBe(expected);
  });

  it.each([
    ['starts after the gap if its start is skipped', { from: '02:30', to: '04:00' }, '2026-03-29T01:29:59Z', null],
    [
      'starts after the gap, at once',
      { from: '02:30', to: '04:00' },
      '2026-03-29T01:30:00Z',
      '2026-03-29T02:00:00.000Z',
    ],
    [
      'ends after the gap if its end is skipped',
      { from: '01:00', to: '02:30' },
      '2026-03-29T00:30:00Z',
      '2026-03-29T01:30:00.000Z',
    ],
    [
      'ends the first time that the clock shows its end',
      { from: '01:00', to: '02:30' },
      '2026-10-25T00:00:00Z',
      '2026-10-25T00:30:00.000Z',
    ],
    ['does not start again in the repeated hour', { from: '01:00', to: '02:30' }, '2026-10-25T01:15:00Z', null],
  ])('%s', (_, times, now, expected) => {
    expect(quietUntil({ ...everyDay, ...times }, new Date(now))?.toISOString() ?? null).toBe(expected);
  });

  it('joins quiet hours that meet', () => {
    const hours = { ...everyDay, days: ['FR', 'SA'] as QuietHours['days'], from: '08:00', to: '07:59' };
    expect(quietUntil(hours, new Date('2026-11-20T12:00:00Z'))?.toISOString()).toBe('2026-11-21T06:59:00.000Z');
  });
});
