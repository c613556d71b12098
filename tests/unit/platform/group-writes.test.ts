import { expect, it } from 'vitest';
import { groupWrites } from '@/server/platform/group-writes';

it('batches items that arrive during a write into the next write', async () => {
  const written: number[][] = [];
  const add = groupWrites<number>(async (items) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    written.push(items);
  });
  const first = add(1);
  await Promise.resolve();
  await Promise.resolve();
  await Promise.all([first, add(2), add(3)]);
  expect(written).toEqual([[1], [2, 3]]);
});

it('rejects only the items of a failed write', async () => {
  const add = groupWrites<number>(async (items) => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (items.includes(1)) throw new Error('away');
  });
  const first = add(1);
  await Promise.resolve();
  await Promise.resolve();
  const second = add(2);
  await expect(first).rejects.toThrow('away');
  await expect(second).resolves.toBeUndefined();
});
