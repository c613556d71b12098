// @ts-check
// The effect of a noisy team on a quiet one, for each resource that teams share and each request that can be made costly: lateness of the quiet team's
// checks, time from its first failed check to the notification, and health of the web process, with and without the noise.
import { setTimeout as sleep } from 'node:timers/promises';
import { alone as oneAtATime, web as webBuild } from '../lib/prepare.mjs';
import { databaseNow, latenessOf } from './checks/monitors.mjs';
import { answerOf, ended, helper, openStand, startWeb, startWorker } from './checks/stand.mjs';
import { httpConfig } from './http-config.mjs';

/** @typedef {import('./checks/stand.mjs').Stand} Stand */
/** @typedef {Record<'hang' | 'interim' | 'drip' | 'body' | 'receiver' | 'poison' | 'flip' | 'dns', number>} Ports */
/** @typedef {{ type: string, config: object, count: number, intervalSeconds: number, channels?: number }} Noise */
/** @typedef {{ late: number, alert: number, health: number, missed: number }} Figures milliseconds at the 99th percentile */

const QUIET = 100;
const QUIET_SECONDS = 5;
const SETTLE_MS = 12_000;
const LOOK_MS = 20_000;
const PATIENCE_MS = 120_000;
const PROBE_EVERY_MS = 20;
/** Lateness below this is timer precision; the ratio of two such values is meaningless. */
const FLOOR_MS = 10;
const NAME_WIDTH = 52;

const slowPattern = { source: 'body', operator: 'matches', value: 'a[ab]{1000}[ab]{1000}[ab]{1000}[cd]' };

/**
 * Returns the kinds of noise, by the resource they use.
 * @param {Ports} ports
 * @returns {Record<string, Noise>}
 */
function noises(ports) {
  const url = (/** @type {keyof Ports} */ name, scheme = 'http') => `${scheme}://127.0.0.1:${ports[name]}/`;
  const http = (/** @type {string} */ at, more = {}) => ({ type: 'http', config: { ...httpConfig(at), ...more } });
  return {
    'check places: 400 targets that hang': { ...http(url('hang')), count: 400, intervalSeconds: 5 },
    'name servers: 100 names without answer': { ...http('http://{n}.silent.test/'), count: 100, intervalSeconds: 5 },
    'evaluation: 100 slow patterns': {
      ...http(url('body'), { assertions: [slowPattern] }),
      count: 100,
      intervalSeconds: 5,
    },
    'floods: 100 endless interim answers': { ...http(url('interim')), count: 100, intervalSeconds: 5 },
    'floods: 100 bodies byte by byte': { ...http(url('drip')), count: 100, intervalSeconds: 5 },
    'recorder: 20 poisonous certificates': {
      ...http(url('poison', 'https'), { verifyTls: false }),
      count: 20,
      intervalSeconds: 5,
    },
    'recorder: 500 monitors that flip': { ...http(url('flip')), count: 500, intervalSeconds: 5 },
    'messages: 100 receivers that hang': { ...http(url('flip')), count: 20, intervalSeconds: 5, channels: 100 },
  };
}

/**
 * Creates monitors of a team, due at once. `{n}` in their config is replaced by the number of each.
 * @param {Stand} stand
 * @param {string} teamId
 * @param {Noise} noise
 */
async function addMonitors({ client }, teamId, { type, config, count, intervalSeconds }) {
  await client.query(
    `with made as (
       insert into monitors (id, team_id, type, name, config, interval_seconds)
       select left(gen_random_uuid()::text, 26), $1, $2::monitor_type, 'Monitor ' || n, replace($3, '{n}', n::text)::jsonb, $4
       from generate_series(1, $5::int) n returning id, num
     ), states as (
       insert into monitor_states (monitor_id, team_id, due_at, status) select id, $1, now(), 'pending' from made
     )
     insert into status_spans (monitor_num, started_at, status) select num, now(), 'pending' from made`,
    [teamId, type, JSON.stringify(config), intervalSeconds, count],
  );
  await client.query(`select pg_notify('upwatch_schedule', '')`);
}

/**
 * @param {Stand} stand
 * @param {string} teamId
 * @param {string} url
 * @param {number} count
 */
async function addChannels({ client }, teamId, url, count) {
  await client.query(
    `insert into channels (id, team_id, type, name, config)
     select left(gen_random_uuid()::text, 26), $1, 'webhook', 'Receiver ' || n, $2 from generate_series(1, $3::int) n`,
    [teamId, { url }, count],
  );
}

/**
 * @param {Stand} stand
 * @param {string} status to wait for in every monitor of the quiet team
 */
async function untilQuiet({ client }, status) {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    const { rows } = await client.query(
      `select count(*)::int as count from monitor_states where team_id = 'QUIET' and status = $1::monitor_status`,
      [status],
    );
    if (rows[0].count === QUIET) return;
    if (Date.now() > end) throw new Error(`Only ${rows[0].count} of the quiet team's monitors became ${status}.`);
  }
}

/** @param {Stand} stand */
async function takeReceived({ target }) {
  target.send({ ask: 'received' });
  return /** @type {Promise<{ at: number, startedAt: string, monitorId: string }[]>} */ (answerOf(target));
}

/**
 * Deletes the noisy team's data in the product's lock order, since the worker is still writing.
 * @param {Stand['client']} client
 */
async function deleteNoise(client) {
  await client.query('begin');
  await client.query(`select 1 from monitor_states where team_id = 'NOISY' order by monitor_id for update`);
  await client.query(`delete from monitors where team_id = 'NOISY'`);
  await client.query('commit');
  await client.query(`delete from channels where team_id = 'NOISY'`);
}

/** @param {number[]} values */
const p99 = (values) => values.toSorted((a, b) => a - b)[Math.ceil(values.length * 0.99) - 1] ?? Number.NaN;

/**
 * @param {Stand} stand
 * @returns {Promise<number>} milliseconds from the first failed check to the notification, p99
 */
async function alertTime(stand) {
  await takeReceived(stand);
  stand.target.send({ status: 503 });
  /** @type {Map<string, number>} */
  const took = new Map();
  for (const end = Date.now() + PATIENCE_MS; took.size < QUIET; await sleep(100)) {
    if (Date.now() > end) throw new Error(`Only ${took.size} of ${QUIET} alerts arrived.`);
    for (const { monitorId, at, startedAt } of await takeReceived(stand))
      took.set(monitorId, at - Date.parse(startedAt));
  }
  stand.target.send({ status: 200 });
  await untilQuiet(stand, 'up');
  return p99([...took.values()]);
}

/**
 * Requests the health of the web process until it is stopped.
 * @param {string} url
 * @returns {() => number} stops, and returns the 99th percentile of the response times in milliseconds
 */
function probeHealth(url) {
  /** @type {number[]} */
  const times = [];
  let isOver = false;
  const run = async () => {
    while (!isOver) {
      const began = performance.now();
      await fetch(`${url}/api/health`).then(
        (answer) => answer.text(),
        () => undefined,
      );
      times.push(performance.now() - began);
      await sleep(PROBE_EVERY_MS);
    }
  };
  void run();
  return () => {
    isOver = true;
    return Math.round(p99(times));
  };
}

/**
 * Measures new monitors of the quiet team each time: monitors reused for every measurement would be flapping by the fourth.
 * @param {Stand} stand
 * @param {string} webUrl
 * @returns {Promise<Figures>}
 */
async function measure(stand, webUrl) {
  await stand.client.query(`delete from monitors where team_id = 'QUIET'`);
  const url = new URL(stand.targetUrl);
  url.hostname = 'quiet.test';
  const config = httpConfig(url.href);
  await addMonitors(stand, 'QUIET', { type: 'http', config, count: QUIET, intervalSeconds: QUIET_SECONDS });
  await untilQuiet(stand, 'up');
  await sleep(SETTLE_MS);
  const health = probeHealth(webUrl);
  const from = await databaseNow(stand.client);
  await sleep(LOOK_MS);
  const { p99: late, missed } = await latenessOf(stand.client, from, await databaseNow(stand.client), 'QUIET');
  return { late, missed, alert: await alertTime(stand), health: health() };
}

/**
 * @param {string} name
 * @param {Figures} figures
 * @param {Figures} alone
 */
function print(name, { late, alert, health, missed }, alone) {
  const ratio = (/** @type {number} */ a, /** @type {number} */ b) =>
    (Math.max(a, FLOOR_MS) / Math.max(b, FLOOR_MS)).toFixed(2);
  const times = [`${late} ms`, ratio(late, alone.late), `${alert} ms`, ratio(alert, alone.alert)];
  const cells = [...times, `${health} ms`, String(missed)];
  console.log([name.padEnd(NAME_WIDTH), ...cells.map((cell) => cell.padStart(10))].join(''));
}

/**
 * Measures the noise that burdens workers: responses of targets and receivers.
 * @param {Stand} stand
 * @param {{ ports: Ports, only: string, webUrl: string, alone: Figures }} options
 */
async function measureTargets(stand, { ports, only, webUrl, alone }) {
  for (const [name, each] of Object.entries(noises(ports))) {
    if (!name.includes(only)) continue;
    if (each.channels) await addChannels(stand, 'NOISY', `http://127.0.0.1:${ports.receiver}/`, each.channels);
    await addMonitors(stand, 'NOISY', each);
    print(name, await measure(stand, webUrl), alone);
    await deleteNoise(stand.client);
  }
}

/**
 * Measures the noise of requests, and prints how many requests the web process did not answer.
 * @param {Stand} stand
 * @param {{ only: string, webUrl: string, alone: Figures }} options
 */
async function measureRequests(stand, { only, webUrl, alone }) {
  const noise = helper('../neighbours/web-noise.ts');
  try {
    const { places } = /** @type {{ places: string[] }} */ (await answerOf(noise));
    for (const place of places) {
      const name = `requests: ${place}`;
      if (!name.includes(only)) continue;
      noise.send({ url: webUrl, databaseUrl: stand.databaseUrl, place });
      await answerOf(noise);
      print(name, await measure(stand, webUrl), alone);
      noise.send({ stop: true });
      const { unanswered } = /** @type {{ unanswered: number }} */ (await answerOf(noise));
      if (unanswered > 0) console.log(`  ${unanswered} requests without an answer, or with a server error`);
    }
  } finally {
    noise.kill();
  }
}

/** Measures every kind of noise, one after the other; about 15 min. With an argument, only kinds whose name contains it. */
export async function run() {
  const only = process.argv[3] ?? '';
  await oneAtATime(webBuild);
  const stand = await openStand();
  const noise = helper('../neighbours/noise.ts');
  /** @type {import('node:child_process').ChildProcess[]} */
  const children = [];
  try {
    const ports = /** @type {Ports} */ (await answerOf(noise));
    await stand.client.query(
      `insert into teams (id, name, plan) values ('QUIET', 'Quiet', 'self_hosted'), ('NOISY', 'Noisy', 'self_hosted')`,
    );
    await addChannels(stand, 'QUIET', stand.targetUrl, 1);
    const worker = startWorker(stand, { DNS_SERVERS: `127.0.0.1:${ports.dns}`, LOG_LEVEL: 'fatal' });
    children.push(worker);
    const { child: web, url: webUrl } = await startWeb(stand);
    children.push(web);
    console.log(
      `A quiet team of ${QUIET} monitors × ${QUIET_SECONDS} s beside a noisy one, one worker and one web process; p99 and ratio to being alone`,
    );
    console.log(
      ['', 'lateness', '÷ alone', 'alert', '÷ alone', 'health', 'missed']
        .map((cell, at) => (at === 0 ? cell.padEnd(NAME_WIDTH) : cell.padStart(10)))
        .join(''),
    );
    const alone = await measure(stand, webUrl);
    print('alone', alone, alone);
    await measureTargets(stand, { ports, only, webUrl, alone });
    await measureRequests(stand, { only, webUrl, alone });
    print('alone again', await measure(stand, webUrl), alone);
    const over = children.filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null);
    console.log(`${over.length} processes ended`);
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map(ended));
  } finally {
    for (const child of children) child.kill('SIGKILL');
    noise.kill();
    await stand.stop();
  }
}
