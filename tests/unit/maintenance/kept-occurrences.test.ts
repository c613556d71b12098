import { expect, it, vi } from 'vitest';
import { keptOccurrences } from '@/server/maintenance/recurrence/kept-occurrences';
import * as recurrence from '@/server/maintenance/recurrence/recurrence';
import { takeLoopTurn } from '@/server/platform/loop-share';

const daily = {
  id: 'daily',
  teamId: 'team',
  updatedAt: new Date('2026-11-01T00:00:00Z'),
  startsAt: new Date('2026-11-01T23:30:00Z'),
  endsAt: new Date('2026-11-02T00:30:00Z'),
  recurrence: 'FREQ=DAILY',
  timezone: 'America/New_York',
};

const complete = async <Window>(windows: Window[]) => windows;

async function find(window: typeof daily, from: Date, to: Date) {
  const [found] = await keptOccurrences([window], () => ({ from, to }), complete);
  return found?.occurrences;
}

const at = (text: string) => new Date(`2026-11-${text}Z`);

it.each([
  [at('10T00:00:00'), at('13T00:00:00')],
  [at('10T00:10:00'), at('10T00:20:00')],
  [at('10T00:30:00'), at('10T23:30:00')],
  [at('01T00:00:00'), at('01T12:00:00')],
])('finds the occurrences that overlap %s to %s', async (from, to) => {
  const expected = recurrence.occurrencesOf(daily, from, to);
  expect(await find(daily, from, to)).toEqual(expected);
  // From what is kept.
  expect(await find(daily, from, to)).toEqual(expected);
});

it('expands a rule once for a day, whatever the time, and again for another version', async () => {
  const expand = vi.spyOn(recurrence, 'occurrencesOf');
  const window = { ...daily, id: 'counted' };
  const [to, found] = [at('25T08:00:00'), [] as number[]];
  for (const from of [at('20T08:00:00'), at('20T09:00:00'), at('20T10:00:00')]) {
    found.push((await find(window, from, to))?.length ?? 0);
  }
  expect(found).toEqual([5, 5, 5]);
  const later = { ...window, updatedAt: at('02T00:00:00'), recurrence: 'FREQ=DAILY;INTERVAL=2' };
  expect((await find(later, at('20T08:00:00'), to))?.length).toBeLessThan(5);
  expect(expand.mock.calls.map(([times]) => times.recurrence)).toEqual(['FREQ=DAILY', 'FREQ=DAILY;INTERVAL=2']);
});

it('reads the changes of windows that are not kept only, and keeps skipped occurrences too', async () => {
  const windows = ['one', 'two', 'three'].map((id) => ({ ...daily, id }));
  const read: string[][] = [];
  const skippedStarts = [at('10T23:30:00')];
  const ask = (some: typeof windows) =>
    keptOccurrences(
      some,
      () => ({ from: at('10T00:00:00'), to: at('12T00:00:00') }),
      async (missing) => {
        read.push(missing.map(({ id }) => id));
        return missing.map((window) => ({ ...window, skippedStarts }));
      },
    );
  await ask(windows.slice(0, 1));
  const found = await ask(windows);
  expect(await ask(windows)).toEqual(found);
  expect(read).toEqual([['one'], ['two', 'three']]);
  for (const { occurrences, skipped } of found) {
    expect(occurrences.map(({ startsAt }) => startsAt)).toEqual([at('09T23:30:00'), at('11T23:30:00')]);
    expect(skipped.map(({ startsAt }) => startsAt)).toEqual(skippedStarts);
  }
});

it('lets another team take its turn between a thousand windows, even if all are kept', async () => {
  const windows = Array.from({ length: 1_000 }, (_value, index) => ({ ...daily, id: `of-many-${index}` }));
  let isDone = false;
  const ask = () => keptOccurrences(windows, () => ({ from: at('10T00:00:00'), to: at('20T00:00:00') }), complete);
  await ask();
  const asked = ask().then(() => {
    isDone = true;
  });
  await takeLoopTurn('another team');
  expect(isDone).toBe(false);
  await asked;
});
