import { expect, it } from 'vitest';
import { daySentence, utcDayAgo } from '@/app/_components/charts/day-words';
import { readDay } from '@/app/(dashboard)/(team)/monitors/_components/detail/incident-day';

it('describes a day by its downtime, degraded time and uptime', () => {
  const uptime = { ratio: 0.98963, downSeconds: 896, degradedSeconds: 60 };
  expect(daySentence('down', uptime)).toBe('Down 14 min 56 s, Degraded 1 min, Uptime 98.963 %');
  expect(daySentence('up', { ratio: 1, downSeconds: 0, degradedSeconds: 0 })).toBe('Up, Uptime 100 %');
  expect(daySentence('paused', { ratio: null, downSeconds: 0, degradedSeconds: 0 })).toBe('Paused');
  expect(daySentence(null, undefined)).toBe('No data');
});

it('counts days in UTC', () => {
  expect(utcDayAgo('2026-11-17T00:30:00.000Z', 0)).toBe('2026-11-17');
  expect(utcDayAgo('2026-11-17T23:30:00.000Z', 89)).toBe('2026-08-20');
});

it.each([null, '', '2026-13-01', '2026-11', 'today', '2026-11-17T00:00:00Z'])('rejects the date %j', (text) => {
  expect(readDay(text)).toBeNull();
});

it('covers a day from its midnight to the next', () => {
  expect(readDay('2026-12-31')).toEqual({ from: '2026-12-31T00:00:00.000Z', to: '2027-01-01T00:00:00.000Z' });
});
