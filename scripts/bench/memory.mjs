// @ts-check
// Memory of the running product by process, next to an idle Node process.
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { Refusal } from '../lib/steps.mjs';
import { replaceMonitors } from './checks/monitors.mjs';
import { answerOf, ended, helper } from './checks/stand.mjs';
import { createTeam } from './data.mjs';
import { memoryOf, pssOf } from './memory/pss.mjs';
import { startProduct } from './product.mjs';

const STEPS = [0, 1_000, 10_000];
const INTERVAL_SECONDS = 60;
/** By then every monitor has been checked twice, and the web process has answered requests. */
const SETTLE_MS = 2.2 * INTERVAL_SECONDS * 1000;
const DEFAULT_MINUTES = 5;
const MIB = 1024 * 1024;

/** @returns {number} minutes to watch after the last step */
function minutesToWatch() {
  const [given = String(DEFAULT_MINUTES)] = process.argv.slice(3);
  const minutes = Number(given);
  if (!(minutes >= 0)) throw new Refusal('Enter a number of minutes: npm run bench -- memory 60');
  return minutes;
}

/**
 * Makes the requests of users and scripts during the measurement: a page of the list, its filters and the metrics.
 * @param {string} url
 * @param {string} key
 */
async function ask(url, key) {
  const headers = { authorization: `Bearer ${key}` };
  for (const path of ['/api/v1/monitors?limit=100', '/api/v1/monitors?status=up', '/api/v1/incidents', '/login']) {
    const response = await fetch(`${url}${path}`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`GET ${path}: ${response.status}`);
  }
}

/** @param {Map<string, number>} figures of bytes by process @param {string} name @param {number} bare */
function print(name, figures, bare) {
  const total = [...figures.values()].reduce((sum, bytes) => sum + bytes, 0);
  const parts = [...figures].map(([title, bytes]) => `${title} ${(bytes / MIB).toFixed(0)}`);
  console.log(
    `${name.padEnd(28)}${(total / MIB).toFixed(0).padStart(5)} MiB   ${parts.join(' · ')} (bare Node ${(bare / MIB).toFixed(0)})`,
  );
}

/** Measures the proportional set size (PSS) with 0, 1,000 and 10,000 monitors, and then periodically for some minutes. */
export async function run() {
  const minutes = minutesToWatch();
  if (process.platform !== 'linux') throw new Refusal('The memory benchmark requires Linux (/proc).');
  const bare = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e9)'], { stdio: 'ignore' });
  const target = helper('target.mjs');
  const { url: targetUrl } = await answerOf(target);
  const product = await startProduct();
  const client = new pg.Client(product.databaseUrl);
  await client.connect();
  try {
    const { key, teamId } = await createTeam(product.url);
    const measure = (/** @type {string} */ name) => print(name, memoryOf(product.pid), pssOf(bare.pid ?? 0));
    const busy = async (/** @type {number} */ ms) => {
      for (const until = performance.now() + ms; performance.now() < until; await sleep(2_000))
        await ask(product.url, key);
    };
    for (const count of STEPS) {
      await replaceMonitors(client, { url: targetUrl, count, intervalSeconds: INTERVAL_SECONDS, isNew: true, teamId });
      await busy(count === 0 ? SETTLE_MS / 4 : SETTLE_MS);
      measure(`${count.toLocaleString('en')} monitors`);
    }
    for (let minute = 0; minute < minutes; ) {
      const next = Math.min(minutes - minute, Math.max(1, minutes / 6));
      await busy(next * 60_000);
      minute += next;
      measure(`after ${minute.toFixed(0)} min more`);
    }
  } finally {
    await client.end();
    await product.stop();
    bare.kill();
    target.kill();
    await Promise.all([ended(bare), ended(target)]);
  }
}
