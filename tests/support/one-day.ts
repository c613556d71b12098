import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach } from 'vitest';
import { DAY_MS } from '@/server/time/schema';

/** As long as a test may take, and longer than a claim: what is due within that is not made due earlier. */
const LONGEST_TEST_MS = 30_000;

/** Has each test of a file begin and end on one day (UTC): shortly before midnight it waits. For what the database counts by day. */
export function keepTestsInOneDay(): void {
  beforeEach(async () => {
    const leftMs = DAY_MS - (Date.now() % DAY_MS);
    if (leftMs < LONGEST_TEST_MS) await sleep(leftMs + 100);
  });
}
