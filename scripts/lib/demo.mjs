// @ts-check
// What `upwatch demo` does: an account, made by server/operate, and the rest through the API of the running instance, as a user would.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { loadOperate } from './operate.mjs';
import { Refusal } from './steps.mjs';

/** The flappy path fails from the first to the second in each period: long enough for an incident, short enough to see one. */
const PERIOD_MS = 6 * 60_000;
const FAILS_FROM_MS = 30_000;
const FAILS_UNTIL_MS = 150_000;
const PING_EVERY_MS = 45_000;
const INTERVAL_SECONDS = 20;

/** @typedef {{ email: string, password: string, teamName: string, port: number, pingUrl?: string }} Demo what DATA_DIR/demo.json keeps, to remove it */
/** @typedef {{ url: string, dataDir: string, port: number }} Options `url` of the instance, `port` of the target */

/** @param {string} dataDir */
const fileOf = (dataDir) => join(dataDir, 'demo.json');

/** @param {string} dataDir @returns {Demo | null} */
function readDemo(dataDir) {
  return existsSync(fileOf(dataDir)) ? JSON.parse(readFileSync(fileOf(dataDir), 'utf8')) : null;
}

/** @param {string} dataDir @param {Demo} demo */
function keepDemo(dataDir, demo) {
  writeFileSync(fileOf(dataDir), JSON.stringify(demo), { mode: 0o600 });
}

/**
 * Sends a request to the instance.
 * @param {string} url
 * @param {unknown} body
 * @param {string} [token]
 * @returns {Promise<any>} the response
 */
async function post(url, body, token) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(15_000),
  }).catch((error) => {
    throw new Refusal(`Upwatch does not respond at ${url}: ${error.cause?.message ?? error.message}. Start it first.`);
  });
  const answer = await response.json().catch(() => null);
  if (response.ok) return answer;
  throw new Refusal(`${url}: ${answer?.error?.message ?? `status ${response.status}`}`);
}

/**
 * Returns the demo of a data directory, if it is complete.
 * @param {string} dataDir
 */
export function findDemo(dataDir) {
  const demo = readDemo(dataDir);
  return demo?.pingUrl ? demo : null;
}

/**
 * Creates the demo, and removes what an interrupted command has left of one.
 * @param {Options} options
 * @returns {Promise<Demo>}
 */
export async function createDemo({ url, dataDir, port }) {
  if (readDemo(dataDir)) await removeDemo(dataDir);
  const id = randomBytes(4).toString('hex');
  const teamName = `Demo ${id}`;
  const demo = { email: `demo-${id}@example.com`, password: randomBytes(12).toString('base64url'), teamName, port };
  const { createDemoAccount, disconnect } = await loadOperate();
  await createDemoAccount(demo);
  await disconnect();
  // Kept first, so that what an interruption leaves can be removed.
  keepDemo(dataDir, demo);
  const { accessToken } = await post(`${url}/auth/login`, { email: demo.email, password: demo.password });
  const whole = { ...demo, pingUrl: await fill(url, accessToken, { id, port }) };
  keepDemo(dataDir, whole);
  return whole;
}

/**
 * Creates monitors of the target, a webhook and a status page.
 * @param {string} url
 * @param {string} token
 * @param {{ id: string, port: number }} options
 * @returns {Promise<string>} the ping URL of the heartbeat
 */
async function fill(url, token, { id, port }) {
  const target = `http://127.0.0.1:${port}`;
  const monitors = [];
  for (const monitor of [
    { name: 'Website', type: 'http', config: { url: `${target}/ok` } },
    { name: 'Checkout', type: 'http', config: { url: `${target}/flappy` } },
    { name: 'Search', type: 'http', config: { url: `${target}/slow` } },
    { name: 'Port', type: 'tcp', config: { host: '127.0.0.1', port } },
    { name: 'Nightly job', type: 'heartbeat', config: {}, intervalSeconds: 60 },
  ]) {
    const body = { intervalSeconds: INTERVAL_SECONDS, tags: ['demo'], ...monitor };
    monitors.push((await post(`${url}/dashboard/monitors`, body, token)).monitor);
  }
  const secret = randomBytes(24).toString('base64');
  const channel = { type: 'webhook', name: 'Demo webhook', config: { url: `${target}/webhook`, secret } };
  await post(`${url}/dashboard/notification-channels`, channel, token);
  const monitorIds = monitors.map((monitor) => monitor.id);
  const page = { slug: `demo-${id}`, title: 'Demo status', isPublic: true, monitorIds };
  await post(`${url}/dashboard/status-pages`, page, token);
  return monitors.at(-1).config.pingUrl;
}

/**
 * Deletes the demo's account and team with everything in it.
 * @param {string} dataDir
 * @returns {Promise<Demo>} what was there
 */
export async function removeDemo(dataDir) {
  const demo = readDemo(dataDir);
  if (!demo) throw new Refusal(`There is no demo in DATA_DIR, ${dataDir}.`);
  const { deleteDemoAccount, disconnect } = await loadOperate();
  await deleteDemoAccount(demo.email);
  await disconnect();
  rmSync(fileOf(dataDir));
  return demo;
}

/** Whether the target fails, a time after its start. @param {number} ms */
export const isFailing = (ms) => ms % PERIOD_MS >= FAILS_FROM_MS && ms % PERIOD_MS < FAILS_UNTIL_MS;

/**
 * Serves the target of the demo's monitors: a path that always succeeds, one that fails for two of six minutes, and a slow one.
 * @param {number} port
 * @returns {Promise<{ ping: (url: string) => void, stop: () => void }>} `ping` pings a heartbeat from now on, unless the target fails
 */
export async function serveTarget(port) {
  const began = performance.now();
  const fails = () => isFailing(performance.now() - began);
  const server = createServer((request, response) => {
    request.resume();
    if (request.url === '/flappy' && fails())
      return void response.writeHead(503).end('The demo fails for two of six minutes.');
    if (request.url !== '/slow') return void response.end('ok');
    setTimeout(() => response.end('ok'), fails() ? 1_500 : 150);
  });
  await new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => resolve(undefined));
  }).catch((error) => {
    throw new Refusal(`The target cannot listen on port ${port} (${error.code}): choose another one with --port.`);
  });
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  return {
    ping(url) {
      const once = () =>
        void fetch(url, { method: 'POST', signal: AbortSignal.timeout(10_000) }).catch(() => undefined);
      once();
      timer = setInterval(() => !fails() && once(), PING_EVERY_MS);
    },
    stop() {
      clearInterval(timer);
      server.close();
      server.closeAllConnections();
    },
  };
}
