import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach } from 'vitest';
import { DAY_MS } from '@/server/time/schema';

/** Longer than any test and any claim, so that nothing becomes due within that time by itself. */
const LONGEST_TEST_MS = 30_000;

/** Keeps each test of a file within one day (UTC), by waiting shortly before midnight. For data that is counted by day. */
export function keepTestsInOneDay(): void {
  beforeEach(async () => {
    const leftMs = DAY_MS - (Date.now() % DAY_MS);
    if (leftMs < LONGEST_TEST_MS) await sleep(leftMs + 100);
  });
}
