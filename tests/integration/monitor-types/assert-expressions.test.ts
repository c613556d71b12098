import { describe, expect, it } from 'vitest';
import { assertExpressions } from '@/server/monitor-types/evaluation/assert-expressions';

const bodyMatches = (...patterns: string[]) => ({
  assertions: patterns.map((value) => ({ source: 'body', operator: 'matches', value })),
});

/** The longest time in milliseconds that the event loop was blocked during `work`. */
async function longestStall(work: Promise<unknown>): Promise<number> {
  let last = performance.now();
  let longest = 0;
  const timer = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  }, 5);
  await work.catch(() => undefined).finally(() => clearInterval(timer));
  return longest;
}

describe('assertExpressions', () => {
  it('accepts valid expressions', async () => {
    await expect(assertExpressions('team', bodyMatches('^ok$', 'a|b'))).resolves.toBeNull();
    await expect(assertExpressions('team', { assertions: 'none' })).resolves.toBeNull();
  });

  it('rejects a cron schedule without a time at its field', async () => {
    await expect(assertExpressions('team', { cron: '0 0 30 2 *' })).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'config.cron', message: 'This schedule never runs, or less than once in eight years.' }],
    });
    await expect(assertExpressions('team', { cron: '0 0 29 2 *' })).resolves.toBeGreaterThan(4 * 365 * 86_400);
  });

  it('returns the longest time between two runs of a cron schedule that the schema accepts', async () => {
    await expect(assertExpressions('team', { cron: ' 0 9 * * 1-5 ', timezone: 'Europe/Berlin' })).resolves.toBe(
      3 * 86_400,
    );
    await expect(assertExpressions('team', { cron: 'every day' })).resolves.toBeNull();
  });

  it('rejects an invalid pattern at its field', async () => {
    await expect(assertExpressions('team', bodyMatches('ok', '('))).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: 'config.assertions.1.value' }],
    });
  });

  it('rejects a pattern that takes seconds to compile, without blocking the process', async () => {
    await assertExpressions('team', bodyMatches('warm'));
    const refused = assertExpressions('team', bodyMatches('\\PL{1000}'.repeat(900)));
    const stall = await longestStall(refused);
    await expect(refused).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    // Compiling it takes over ten seconds; a busy machine stalls for much less.
    expect(stall).toBeLessThan(2_000);
  });
});
