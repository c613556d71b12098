// @ts-check
// 1,000 monitors of one failing target: time until the state is in the database, and until the webhook has arrived.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTeam, replaceMonitors } from './checks/monitors.mjs';
import { answerOf, ended, openStand, startWorker } from './checks/stand.mjs';

/** @typedef {import('./checks/stand.mjs').Stand} Stand */

const COUNT = 1_000;
const INTERVAL_SECONDS = 5;
/** The polling interval for a visible state. */
const POLL_EVERY_MS = 20;
const PATIENCE_MS = 60_000;

/**
 * Waits until every monitor has a status, and returns when each was first seen with it.
 * @param {Stand} stand
 * @param {string} status
 * @returns {Promise<Map<string, number>>} milliseconds since the epoch by monitor
 */
async function untilAll({ client }, status) {
  const seen = new Map();
  for (const end = Date.now() + PATIENCE_MS; seen.size < COUNT; await sleep(POLL_EVERY_MS)) {
    if (Date.now() > end) throw new Error(`Only ${seen.size} of ${COUNT} monitors became ${status}.`);
    const { rows } = await client.query(
      'select monitor_id from monitor_states where status = $1::monitor_status and monitor_id <> all($2)',
      [status, [...seen.keys()]],
    );
    for (const { monitor_id } of rows) seen.set(monitor_id, Date.now());
  }
  return seen;
}

/** @param {Stand} stand */
async function receivedBy({ target }) {
  const all = new Map();
  for (const end = Date.now() + PATIENCE_MS; all.size < COUNT; await sleep(100)) {
    if (Date.now() > end) throw new Error(`Only ${all.size} of ${COUNT} webhooks arrived.`);
    target.send({ ask: 'received' });
    for (const { monitorId, at } of await answerOf(target)) all.set(monitorId, at);
  }
  return all;
}

/**
 * Returns the end of the check that confirmed each failure: the second one that failed.
 * @param {Stand} stand
 * @returns {Promise<Map<string, number>>}
 */
async function confirmedAt({ client }) {
  const { rows } = await client.query(
    `select id, at from (
       select m.id, c.at + coalesce(c.latency_ms, 0) * interval '1 ms' as at,
         row_number() over (partition by m.id order by c.at) as place
       from checks c join monitors m on m.num = c.monitor_num where c.status = 'down'
     ) as failed where place = 2`,
  );
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]));
}

/**
 * @param {string} name
 * @param {Map<string, number>} from
 * @param {Map<string, number>} to
 */
function print(name, from, to) {
  const all = [...to].map(([id, at]) => at - (from.get(id) ?? Number.NaN)).sort((a, b) => a - b);
  const share = (/** @type {number} */ part) => `${all[Math.ceil(all.length * part) - 1]} ms`;
  console.log(`${name.padEnd(44)}p50 ${share(0.5)} · p95 ${share(0.95)} · max ${share(1)}`);
}

/** Lets 1,000 monitors fail, and prints the delays until state and webhook. Takes 30 s. */
export async function run() {
  const stand = await openStand();
  /** @type {import('node:child_process').ChildProcess | null} */
  let worker = null;
  try {
    await makeTeam(stand.client, stand.targetUrl);
    await replaceMonitors(stand.client, {
      url: stand.targetUrl,
      count: COUNT,
      intervalSeconds: INTERVAL_SECONDS,
      isNew: true,
    });
    worker = startWorker(stand);
    await untilAll(stand, 'up');
    await sleep(2 * INTERVAL_SECONDS * 1000);
    stand.target.send({ status: 503 });
    const [down, received] = await Promise.all([untilAll(stand, 'down'), receivedBy(stand)]);
    const confirmed = await confirmedAt(stand);
    worker.kill('SIGTERM');
    await ended(worker);
    console.log(`${COUNT} monitors × ${INTERVAL_SECONDS} s, all failing at once, one worker`);
    print('confirmed failure → state in the database', confirmed, down);
    print('confirmed failure → webhook received', confirmed, received);
  } finally {
    worker?.kill('SIGKILL');
    await stand.stop();
  }
}
