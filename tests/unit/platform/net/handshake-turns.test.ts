import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { takeHandshakeTurn } from '@/server/platform/net/handshake-turns';

const by = { signal: new AbortController().signal, waitForUs: <T>(wait: () => Promise<T>) => wait() };

/** Takes this much CPU time. */
function compute(ms: number): void {
  const from = process.cpuUsage();
  const end = performance.now() + ms;
  while (performance.now() < end || process.cpuUsage(from).user < ms * 1_000) Math.sqrt(performance.now());
}

it('makes a team with costly handshakes wait, and no other', async () => {
  const stop = new AbortController();
  let costly = 0;
  const handshakes = Array.from({ length: 20 }, () =>
    takeHandshakeTurn('costly', { ...by, signal: stop.signal }, () => {
      compute(120);
      costly += 1;
    }),
  );
  for (let each = 0; each < 30; each += 1) await turn();
  let others = 0;
  await takeHandshakeTurn('other', by, () => {
    others += 1;
  });
  expect(others).toBe(1);
  // The burst of 200 ms, of which the first 20 ms of each handshake are free.
  expect(costly).toBeLessThanOrEqual(4);
  stop.abort();
  expect((await Promise.allSettled(handshakes)).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(
    15,
  );
});

it('never delays a team whose handshakes are cheap', async () => {
  let waits = 0;
  const waitForUs = () => {
    waits += 1;
    return Promise.reject(new Error('waited'));
  };
  for (let each = 0; each < 200; each += 1) await takeHandshakeTurn('cheap', { ...by, waitForUs }, () => compute(1));
  expect(waits).toBe(0);
});
