import { setMaxListeners } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { guardedRequest } from '@/server/platform/net';
import { CostlyTurns } from '@/server/platform/net/costly-turns';
import { type Target, tcpTarget } from '@/tests/integration/checks/targets';

const REQUESTS = 60;
const open: Target[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

const chunked = (chunks: number) =>
  `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(chunks)}0\r\n\r\n`;

async function serve(answer: string): Promise<string> {
  const target = await tcpTarget((socket) => socket.once('data', () => socket.end(answer)));
  open.push(target);
  return `http://127.0.0.1:${target.port}/`;
}

const ask = (url: string, teamId: string, signal?: AbortSignal) =>
  guardedRequest({ url, method: 'GET', teamId, timeoutMs: 15_000, maxResponseBytes: 1024 * 1024, signal });

it('reads the costly answers of a team in a twentieth of the thread, and those of others at once', async () => {
  const [costly, short] = [await serve(chunked(19_000)), await serve(chunked(1))];
  const stop = new AbortController();
  setMaxListeners(0, stop.signal);
  let ended = 0;
  const all = Array.from({ length: REQUESTS }, () =>
    ask(costly, 'costly', stop.signal).finally(() => {
      ended += 1;
    }),
  );
  const settled = Promise.allSettled(all);
  await new Promise((resolve) => setTimeout(resolve, 2_000));
  // Each takes 20 to 100 ms, and the team gets 200 ms at once and 50 ms a second.
  expect(ended).toBeLessThan(REQUESTS / 2);
  const began = performance.now();
  expect((await ask(short, 'quiet')).body).toBe('x');
  expect(performance.now() - began).toBeLessThan(2_000);
  stop.abort(new Error('The test ends'));
  await settled;
});

it('reads an answer completely after its team had to wait, without counting the wait', async () => {
  const { signal } = new AbortController();
  const payer = { teamId: 'patient', by: { signal, waitForUs: <T>(wait: () => Promise<T>) => wait() } };
  const compute = (ms: number) => {
    const from = process.cpuUsage();
    while (process.cpuUsage(from).user < ms * 1_000) Math.sqrt(performance.now());
  };
  const costly = await serve(chunked(100));
  for (let step = 0; step < 2; step += 1) new CostlyTurns(payer).run(() => compute(130));
  const began = performance.now();
  // More than 200 ms were used, so that each further one takes 20 ms.
  const { body, truncated } = await ask(costly, 'patient');
  expect([body.length, truncated]).toEqual([100, false]);
  expect(performance.now() - began).toBeGreaterThan(100);
}, 60_000);
