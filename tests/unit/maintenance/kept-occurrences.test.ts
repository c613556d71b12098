import { expect, it, vi } from 'vitest';
import { keptOccurrences } from '@/server/maintenance/recurrence/kept-occurrences';
import * as recurrence from '@/server/maintenance/recurrence/recurrence';

const daily = {
  id: 'daily',
  teamId: 'team',
  updatedAt: new Date('2026-11-01T00:00:00Z'),
  startsAt: new Date('2026-11-01T23:30:00Z'),
  endsAt: new Date('2026-11-02T00:30:00Z'),
  recurrence: 'FREQ=DAILY',
  timezone: 'America/New_York',
};

const at = (text: string) => new Date(`2026-11-${text}Z`);

it.each([
  [at('10T00:00:00'), at('13T00:00:00')],
  [at('10T00:10:00'), at('10T00:20:00')],
  [at('10T00:30:00'), at('10T23:30:00')],
  [at('01T00:00:00'), at('01T12:00:00')],
])('finds the occurrences that overlap %s to %s', async (from, to) => {
  const expected = recurrence.occurrencesOf(daily, from, to);
  expect(await keptOccurrences(daily, from, to)).toEqual(expected);
  // From what is kept.
  expect(await keptOccurrences(daily, from, to)).toEqual(expected);
});

it('expands a rule once for a day, whatever the time, and again for another version', async () => {
  const expand = vi.spyOn(recurrence, 'occurrencesOf');
  const window = { ...daily, id: 'counted' };
  const [to, found] = [at('25T08:00:00'), [] as number[]];
  for (const from of [at('20T08:00:00'), at('20T09:00:00'), at('20T10:00:00')]) {
    found.push((await keptOccurrences(window, from, to)).length);
  }
  expect(found).toEqual([5, 5, 5]);
  const later = { ...window, updatedAt: at('02T00:00:00'), recurrence: 'FREQ=DAILY;INTERVAL=2' };
  expect((await keptOccurrences(later, at('20T08:00:00'), to)).length).toBeLessThan(5);
  expect(expand.mock.calls.map(([times]) => times.recurrence)).toEqual(['FREQ=DAILY', 'FREQ=DAILY;INTERVAL=2']);
});
