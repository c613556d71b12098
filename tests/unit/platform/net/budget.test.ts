import { describe, expect, it } from 'vitest';
import { Budget } from '@/server/platform/net/budget';

/** A budget and the causes for which it ended its exchange. */
function budgetOf(): { budget: Budget; causes: string[] } {
  const causes: string[] = [];
  return { budget: new Budget((error) => causes.push(error.message)), causes };
}

describe('Budget', () => {
  it('ends an exchange whose answer comes in more than 10,000 chunks', () => {
    const { budget, causes } = budgetOf();
    for (let piece = 0; piece < 10_000; piece += 1) budget.takePiece();
    expect(causes).toEqual([]);
    budget.takePiece();
    expect(causes).toEqual(['The server sent its response in more than 10000 chunks']);
  });

  it('ends an exchange whose response takes more than 100 ms of CPU time, counting at most 20 ms per slice', () => {
    const { budget, causes } = budgetOf();
    for (let slice = 0; slice < 5; slice += 1) budget.compute(10_000);
    expect(causes).toEqual([]);
    budget.compute(1);
    expect(causes).toEqual(['Processing the response took more than 100 ms of CPU time']);
  });

  it('ends an exchange once, with the limit that was exceeded first', () => {
    const { budget, causes } = budgetOf();
    budget.take(Buffer.alloc(128 * 1024 + 1));
    budget.compute(1e9);
    for (let slice = 0; slice < 9; slice += 1) budget.compute(1e9);
    expect(causes).toEqual(['The server sent more than 128 KiB without a response']);
  });
});
