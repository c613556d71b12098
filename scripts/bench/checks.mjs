// @ts-check
// The worker next to a bare loop of http.get, on one machine and against one target.
import { setTimeout as sleep } from 'node:timers/promises';
import { databaseNow, latenessOf, makeTeam, replaceMonitors } from './checks/monitors.mjs';
import { makeWork, runRecurring } from './checks/recurring.mjs';
import { answerOf, ended, helper, openStand, startWorker } from './checks/stand.mjs';
import { residentOf, usageOf } from './checks/usage.mjs';

/** @typedef {import('./checks/stand.mjs').Stand} Stand */

const FAST = { count: 1_000, intervalSeconds: 5 };
const MANY = { count: 10_000, intervalSeconds: 60 };
const RATE = FAST.count / FAST.intervalSeconds;
const MEASURED_SECONDS = 30;
const WARM_UP_MS = 15_000;
const SETTLE_MS = 2_000;

/** @param {Stand} stand @returns {Promise<number>} CPU-seconds per 1,000 GETs */
async function bareCost({ targetUrl }) {
  const bare = helper('bare-gets.mjs', [targetUrl, String(RATE), String(MEASURED_SECONDS / 2)]);
  const { cpuSeconds, count } = await answerOf(bare);
  await ended(bare);
  return (cpuSeconds * 1000) / count;
}

/** @param {Stand} stand */
async function storedBytes({ client }) {
  const { rows } = await client.query(
    `select (select count(*)::int from checks) as checks, coalesce(
       (select sum(pg_total_relation_size(relid)) from pg_partition_tree('checks') where isleaf),
       pg_total_relation_size('checks')
     )::float8 as bytes`,
  );
  return /** @type {{ bytes: number, checks: number }} */ (rows[0]);
}

/** @param {Stand} stand the growth of the log, and the bytes written to disk: log, tables and indexes */
async function writtenBytes({ client }) {
  const { rows } = await client.query(
    `select (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as wal,
       (select sum(coalesce(write_bytes, 0) + coalesce(extend_bytes, 0))::float8 from pg_stat_io where context <> 'init') as disk`,
  );
  return /** @type {{ wal: number, disk: number }} */ (rows[0]);
}

/**
 * @param {Stand} stand
 * @param {number} began by performance.now()
 */
async function untilAllChecked({ client }, began) {
  for (;;) {
    const { rows } = await client.query('select 1 from monitor_states where last_checked_at is null limit 1');
    if (rows.length === 0) return performance.now() - began;
    await sleep(50);
  }
}

/** @param {Stand} stand @param {number} worker */
async function costs(stand, worker) {
  return {
    at: await databaseNow(stand.client),
    ...(await writtenBytes(stand)),
    worker: usageOf(worker),
    database: usageOf(stand.postmaster),
  };
}

/**
 * Waits until the results of the last checks are stored, and returns the lateness between two times.
 * @param {Stand} stand
 * @param {Date} from
 * @param {Date} to
 */
async function lateness({ client }, from, to) {
  await sleep(SETTLE_MS);
  return latenessOf(client, from, to);
}

/** @param {string} name @param {string} value */
const line = (name, value) => console.log(`${name.padEnd(58)}${value}`);

/** @param {string} name @param {Awaited<ReturnType<typeof latenessOf>>} late */
function printLateness(name, { p50, p99, max, checks, missed }) {
  line(`lateness, ${name}`, `p50 ${p50} ms · p99 ${p99} ms · max ${max} ms (${checks} checks, ${missed} missed)`);
}

/** Measures the cost and the lateness of a check. Takes about 5 min. */
export async function run() {
  const stand = await openStand();
  /** @type {import('node:child_process').ChildProcess | null} */
  let worker = null;
  try {
    await makeTeam(stand.client);
    const bareBefore = await bareCost(stand);
    await replaceMonitors(stand.client, { url: stand.targetUrl, ...FAST, isNew: true });
    const began = performance.now();
    worker = startWorker(stand);
    const pid = worker.pid ?? 0;
    const allCheckedMs = await untilAllChecked(stand, began);
    await sleep(WARM_UP_MS);
    const before = await costs(stand, pid);
    await sleep(MEASURED_SECONDS * 1000);
    const after = await costs(stand, pid);
    const fast = await lateness(stand, before.at, after.at);
    const stored = await storedBytes(stand);
    await replaceMonitors(stand.client, { url: stand.targetUrl, ...MANY, isNew: false });
    await sleep(WARM_UP_MS);
    const from = await databaseNow(stand.client);
    await sleep(MANY.intervalSeconds * 1000);
    const many = await lateness(stand, from, await databaseNow(stand.client));
    await makeWork(stand.client);
    await sleep(WARM_UP_MS);
    const jobsFrom = await databaseNow(stand.client);
    await runRecurring(stand.client);
    const jobsTo = await databaseNow(stand.client);
    const whileJobs = await lateness(stand, jobsFrom, jobsTo);
    const resident = residentOf(pid);
    worker.kill('SIGTERM');
    await ended(worker);
    const bare = (bareBefore + (await bareCost(stand))) / 2;

    const perThousand = (/** @type {number} */ seconds) => (seconds * 1000) / fast.checks;
    const workerCost = perThousand(after.worker.cpuSeconds - before.worker.cpuSeconds);
    const databaseCost = perThousand(after.database.cpuSeconds - before.database.cpuSeconds);
    const ratio = (/** @type {number} */ cost) => `${cost.toFixed(3)} (${(cost / bare).toFixed(2)} × bare)`;
    line('checks per second', (fast.checks / MEASURED_SECONDS).toFixed(0));
    line('CPU-seconds per 1,000: bare http.get', bare.toFixed(3));
    line('CPU-seconds per 1,000: worker', ratio(workerCost));
    line('CPU-seconds per 1,000: database', ratio(databaseCost));
    line('CPU-seconds per 1,000: both', ratio(workerCost + databaseCost));
    printLateness('1,000 monitors × 5 s', fast);
    printLateness('10,000 monitors × 60 s', many);
    printLateness('the same, while recurring jobs run', whileJobs);
    line('recurring jobs took', `${((jobsTo.getTime() - jobsFrom.getTime()) / 1000).toFixed(0)} s`);
    line('resident memory of the worker, with 10,000 monitors', `${resident.toFixed(0)} MiB`);
    line('bytes stored per check', (stored.bytes / stored.checks).toFixed(0));
    line('bytes of WAL per check', ((after.wal - before.wal) / fast.checks).toFixed(0));
    line('bytes the database wrote per check', ((after.disk - before.disk) / fast.checks).toFixed(0));
    line('first check of all of 1,000 new monitors after', `${(allCheckedMs / 1000).toFixed(1)} s`);
  } finally {
    worker?.kill('SIGKILL');
    await stand.stop();
  }
}
