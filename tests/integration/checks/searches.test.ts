import { setMaxListeners } from 'node:events';
import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { runCheck } from '@/server/checks/run/run';
import { Clock } from '@/server/checks/schedule/clock';
import type { Plan } from '@/server/checks/schedule/plan';
import { evaluateApart } from '@/server/monitor-types/evaluation/evaluate-apart';
import { observe } from '@/server/monitor-types/probes';
import { type CheckedConfig, definitions } from '@/server/monitor-types/schema';
import { asTeam, httpTarget, listening, type Target, tcpTarget } from './targets';

const MIB = 1024 * 1024;
const MOST_STALL_MS = 1_000;
const open: Target[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

/** Begins everywhere in a text of the same letter, and is nowhere in it. */
const costly = (length: number) => `${'a'.repeat(length / 2)}b${'a'.repeat(length / 2 - 1)}`;

const of = (type: CheckedConfig['type'], config: object) =>
  ({ type, config: definitions[type].schema.parse({ timeoutMs: 5_000, ...config }) }) as CheckedConfig;

const repeated = { source: 'body', operator: 'notContains', value: costly(8_192) };

async function http(assertions: object[]): Promise<CheckedConfig> {
  const target = await httpTarget((_request, response) => response.end('a'.repeat(MIB)));
  open.push(target);
  return of('http', { url: `http://127.0.0.1:${target.port}/`, assertions });
}

async function webSocket(): Promise<CheckedConfig> {
  const server = createServer();
  const target = await listening(server);
  open.push(target);
  new WebSocketServer({ server }).on('connection', (socket) => {
    for (let count = 0; count < 4; count += 1) socket.send('a'.repeat(MIB));
    socket.on('error', () => undefined);
  });
  return of('websocket', { url: `ws://127.0.0.1:${target.port}/`, expect: costly(10_000) });
}

async function tcp(): Promise<CheckedConfig> {
  const target = await tcpTarget((socket) => socket.write('a'.repeat(64 * 1024)));
  open.push(target);
  return of('tcp', { host: '127.0.0.1', port: target.port, expect: costly(10_000) });
}

/** The longest time for which the event loop did not run during a check. */
async function stallOf(target: CheckedConfig): Promise<number> {
  let stall = 0;
  let last = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    stall = Math.max(stall, now - last);
    last = now;
  }, 5);
  const observation = await observe(target as Parameters<typeof observe>[0], asTeam());
  await evaluateApart({ target, observation, at: new Date() }, 'team', asTeam().signal);
  clearInterval(timer);
  return Math.max(stall, performance.now() - last);
}

it.each([
  ['a long body', () => http([repeated])],
  ['a long body 30 times', () => http(Array(30).fill(repeated))],
  ['long messages', webSocket],
  ['the data of a connection', tcp],
])(
  'searches %s without blocking other checks',
  async (_name, make) => {
    expect(await stallOf(await make())).toBeLessThan(MOST_STALL_MS);
  },
  60_000,
);

it('judges few checks of a team in one turn of the event loop, if their responses end at once', async () => {
  const CHECKS = 30;
  const waiting: Socket[] = [];
  const server = await tcpTarget((socket) => {
    socket.once('data', () => {
      socket.write(`HTTP/1.1 200 OK\r\ncontent-length: ${MIB}\r\n\r\n${'a'.repeat(MIB - 1)}`);
      waiting.push(socket);
    });
  });
  open.push(server);
  const target = of('http', { url: `http://127.0.0.1:${server.port}/`, assertions: [repeated], timeoutMs: 30_000 });
  const plan = { target, monitor: { id: 'one', teamId: 'team', version: 1 }, pingSchedule: null } as Plan;
  const options = { signal: new AbortController().signal, keepsEvidence: () => false, region: '', isDraft: true };
  setMaxListeners(0, options.signal);
  let judged = 0;
  const all = Array.from({ length: CHECKS }, async () => {
    await runCheck(plan, new Clock(), options);
    judged += 1;
  });
  while (waiting.length < CHECKS || waiting.some(({ writableLength }) => writableLength > 0)) await turn();
  // What the kernel holds is read in the meantime.
  await sleep(1_000);
  for (const socket of waiting) socket.write('a');
  let most = 0;
  for (let before = 0; judged < CHECKS; before = judged) {
    await turn();
    most = Math.max(most, judged - before);
  }
  await Promise.all(all);
  // Each takes about 10 ms.
  expect(most).toBeLessThanOrEqual(8);
}, 60_000);
