import { setMaxListeners } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
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
  guardedRequest({
    url,
    method: 'GET',
    teamId,
    timeoutMs: 15_000,
    maxResponseBytes: 1024 * 1024,
    trust: { verify: false },
    signal,
  });

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

/** Has a team use up its 200 ms, by steps that are short enough to be charged by their length alone. */
async function spend(teamId: string): Promise<void> {
  const compute = (ms: number) => {
    const from = process.cpuUsage();
    while (process.cpuUsage(from).user < ms * 1_000) Math.sqrt(performance.now());
  };
  const { signal } = new AbortController();
  const turns = () => new CostlyTurns({ teamId, by: { signal, waitForUs: (wait) => wait() } });
  do {
    turns().run(() => compute(15));
    await nextTurn();
  } while (!turns().mustWait);
  // Further steps take twenty times their length.
  for (let step = 0; step < 3; step += 1) turns().run(() => compute(15));
}

it('reads an answer completely after its team had to wait, without counting the wait', async () => {
  const costly = await serve(chunked(100));
  await spend('patient');
  const began = performance.now();
  const { body, truncated } = await ask(costly, 'patient');
  expect([body.length, truncated]).toEqual([100, false]);
  expect(performance.now() - began).toBeGreaterThan(100);
}, 60_000);

it('reads a large answer over TLS completely after its team had to wait', async () => {
  const length = 900 * 1024;
  const head = `HTTP/1.1 200 OK\r\ncontent-length: ${length}\r\n\r\n`;
  const target = await tcpTarget((socket) => socket.once('data', () => socket.end(head + 'x'.repeat(length))), {
    secure: true,
  });
  open.push(target);
  await spend('encrypted');
  const { body, truncated } = await ask(`https://127.0.0.1:${target.port}/`, 'encrypted');
  expect([body.length, truncated]).toEqual([length, false]);
}, 60_000);
