import { setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { takeLoopTurn } from '@/server/platform/loop-share';

/** Computes for `ms`. */
function compute(ms: number): void {
  for (const end = performance.now() + ms; performance.now() < end; );
}

/** The number of turns of the event loop that a number of works take which wait together. */
async function turnsOf(count: number, workMs: number): Promise<number> {
  const works = Array.from({ length: count }, async () => {
    await takeLoopTurn('team');
    // What awaits something that is ready still belongs to the same turn.
    await null;
    compute(workMs);
  });
  let isOver = false;
  void Promise.all(works).then(() => {
    isOver = true;
  });
  let turns = 0;
  for (; !isOver; turns += 1) await turn();
  return turns;
}

test('work that waits together pauses for the event loop after a few milliseconds', async () => {
  expect(await turnsOf(20, 6)).toBeGreaterThanOrEqual(20);
});

test('short work does not wait for a turn of the event loop each', async () => {
  expect(await turnsOf(100, 0)).toBeLessThan(50);
});

test('teams take turns, whatever the number that one of them queued first', async () => {
  const order: string[] = [];
  const work = async (team: string) => {
    await takeLoopTurn(team);
    order.push(team);
  };
  const noisy = Array.from({ length: 100 }, () => work('noisy'));
  await Promise.all([work('quiet'), work('quiet'), ...noisy]);
  expect(order.slice(0, 4).toSorted()).toEqual(['noisy', 'noisy', 'quiet', 'quiet']);
  expect(order).toHaveLength(102);
});
