import http from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Scheduler } from '@/server/checks/schedule/schedule';
import { db } from '@/server/platform/db';
import { newId } from '@/server/platform/ids';
import { stopListening } from '@/server/platform/listen';
import { makeMonitors, makeTeam } from '@/tests/integration/checks/monitors';
import { listening, type Target } from '@/tests/integration/checks/targets';
import { makeKey, rest, signUp } from '@/tests/support/rest';
import { type QuietTeam, startQuietTeam } from './quiet-team';
import { servers } from './setup';

const MONITORS = 8;
const SECRETS = 24;
/** Secrets of about 4,000 letters, each with another length. */
const secretOf = (index: number) => 'a'.repeat(3_977 + index);
const ANSWER = 'a'.repeat(32 * 1024);
const WATCHED_MS = 10_000;
/** One check in ten passes, so that the others never confirm a downtime, and each is evidence. */
const PASSING = 10;

let team: QuietTeam;
let target: Target;
let answers = 0;

beforeAll(async () => {
  if (!servers.quiet) throw new Error('The servers were not started.');
  const server = http.createServer({ maxHeaderSize: 256 * 1024 }, (_request, response) => {
    answers += 1;
    response.writeHead(answers % PASSING === 0 ? 200 : 500).end(ANSWER);
  });
  target = await listening(server);
  team = await startQuietTeam(await servers.quiet.open(-1));
}, 60_000);

afterAll(async () => {
  await team.stop();
  await stopListening();
  await Promise.all([target.close(), servers.hostile?.stop(), servers.quiet?.stop()]);
});

/** How long calls of another team take, one after the other, for as long as the quiet team is watched. In milliseconds, fastest first. */
async function callsWhileWatched(key: string): Promise<number[]> {
  const end = Date.now() + WATCHED_MS;
  const took: number[] = [];
  while (Date.now() < end) {
    const from = performance.now();
    const { status } = await rest('GET', '/api/v1/monitors', { token: key });
    took.push(performance.now() - from);
    expect(status).toBe(200);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return took.sort((a, b) => a - b);
}

const p99 = (sorted: number[]) => Math.round(sorted[Math.floor(sorted.length * 0.99)] ?? 0);

/** Monitors of one team that send long secrets of one letter, and get an answer of the same letter. */
async function startEchoed(): Promise<{ ids: string[]; stop: () => Promise<void> }> {
  const url = `http://127.0.0.1:${target.port}/`;
  const headers = Object.fromEntries(
    Array.from({ length: SECRETS }, (_, index) => [`x-key-${index}`, secretOf(index)]),
  );
  const confirm = { failures: PASSING, recoveries: 1, retryDelayMs: 100 };
  const config = { headers, saveResponseBody: true, confirm };
  const options = Array.from({ length: MONITORS }, () => ({ url, intervalSeconds: 30, config }));
  const monitors = await makeMonitors(await makeTeam(), options);
  const ids = monitors.map(({ id }) => id);
  const scheduler = new Scheduler({ worker: newId(), region: 'echoed', concurrency: 50 });
  scheduler.start();
  return { ids, stop: () => scheduler.stop(2_000) };
}

it('checks and answers another team on time while answers of 32 KiB are searched for 24 long secrets', async () => {
  const started = new Date();
  const key = await makeKey(await signUp());
  const callsBefore = await callsWhileWatched(key);
  const before = await team.lateness(started);
  const from = new Date();
  const echoed = await startEchoed();
  const callsBeside = await callsWhileWatched(key);
  const beside = await team.lateness(from);
  await echoed.stop();
  const attempts = await db.checkAttempt.findMany({ where: { monitorId: { in: echoed.ids } } });
  console.log(
    `Checks: alone p99 ${before.p99} ms, beside p99 ${beside.p99} ms. ` +
      `Calls: alone p99 ${p99(callsBefore)} ms, beside p99 ${p99(callsBeside)} ms. ${attempts.length} attempts`,
  );
  expect(attempts.length).toBeGreaterThanOrEqual(MONITORS);
  for (const { content } of attempts) {
    expect(Buffer.from(content).toString()).toContain('"text":"••••"');
    expect(Buffer.from(content).toString()).not.toContain('aaaaaaaa');
  }
  expect(beside.notUp).toEqual([]);
  // Other load on the machine affects both.
  expect(beside.p99).toBeLessThan(before.p99 * 1.5 + 500);
  expect(p99(callsBeside)).toBeLessThan(p99(callsBefore) * 2 + 100);
}, 120_000);
