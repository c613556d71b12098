// @ts-check
// What connection tests cost: the same monitors with and without them, in turns.
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseNow, latenessOf, makeTeam, replaceMonitors } from './checks/monitors.mjs';
import { answerOf, ended, openStand, startWorker } from './checks/stand.mjs';
import { usageOf } from './checks/usage.mjs';

/** @typedef {import('./checks/stand.mjs').Stand} Stand */

const MONITORS = { count: 6_000, intervalSeconds: 30 };
const ROUNDS = 3;
/** After one interval, every monitor was checked, and its tests are planned. */
const WARM_UP_MS = 32_000;
const MEASURED_MS = 30_000;
const SETTLE_MS = 2_000;

/** @param {Stand} stand @param {number} worker */
async function usage({ client, target, postmaster }, worker) {
  target.send({ ask: 'counts' });
  const { connections, requests } = await answerOf(target);
  const at = await databaseNow(client);
  return { at, connections, requests, worker: usageOf(worker).cpuSeconds, database: usageOf(postmaster).cpuSeconds };
}

/**
 * @param {Stand} stand
 * @param {number} worker
 * @param {boolean} connectionTests
 */
async function measure(stand, worker, connectionTests) {
  const options = { url: stand.targetUrl, ...MONITORS, isNew: false, config: { connectionTests } };
  await replaceMonitors(stand.client, options);
  await sleep(WARM_UP_MS);
  const before = await usage(stand, worker);
  await sleep(MEASURED_MS);
  const after = await usage(stand, worker);
  await sleep(SETTLE_MS);
  const { checks, p99 } = await latenessOf(stand.client, before.at, after.at);
  const perMonitor = MEASURED_MS / 1000 / MONITORS.intervalSeconds;
  const cells = [
    `worker ${(((after.worker - before.worker) * 1000) / checks).toFixed(3)}`,
    `database ${(((after.database - before.database) * 1000) / checks).toFixed(3)} CPU-s per 1,000 checks`,
    `${((after.connections - before.connections) / MONITORS.count / perMonitor).toFixed(2)} connections`,
    `${((after.requests - before.requests) / MONITORS.count / perMonitor).toFixed(2)} requests per monitor and interval`,
    `lateness p99 ${p99} ms`,
  ];
  console.log((connectionTests ? 'with' : 'without').padEnd(9) + cells.join(' · '));
}

/** Measures the cost of connection tests. Takes about 7 min. */
export async function run() {
  const stand = await openStand();
  /** @type {import('node:child_process').ChildProcess | null} */
  let worker = null;
  try {
    await makeTeam(stand.client);
    worker = startWorker(stand);
    console.log(`${MONITORS.count} monitors × ${MONITORS.intervalSeconds} s`);
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const isOn of [false, true]) await measure(stand, worker.pid ?? 0, isOn);
    }
    worker.kill('SIGTERM');
    await ended(worker);
  } finally {
    worker?.kill('SIGKILL');
    await stand.stop();
  }
}
