// @ts-check
// 1, 100 and 1,000 incidents at once: time from the confirmed failure until a message names it, in channels of three types, next to a bare loop that
// posts the same messages to the same receivers.
import { setTimeout as sleep } from 'node:timers/promises';
import { makeTeam, replaceMonitors } from './checks/monitors.mjs';
import { answerOf, ended, helper, openStand, startWorker } from './checks/stand.mjs';

/** @typedef {import('./checks/stand.mjs').Stand} Stand */
/** @typedef {import('node:child_process').ChildProcess} Child */
/** @typedef {{ at: number, path: string, body: string }} Received */

const COUNTS = [1, 100, 1_000];
const INTERVAL_SECONDS = 30;
const PATIENCE_MS = 180_000;

/**
 * Returns the configs of a channel of each type. Requests to it start with its ID as the path.
 * @param {string} url of the receiver
 * @returns {Record<string, object>}
 */
const channelsAt = (url) => ({
  webhook: { url: `${url}/webhook` },
  slack: { webhookUrl: `${url}/slack` },
  telegram: { botToken: '123456789:AAEbenchbenchbenchbenchbench', chatId: '1', apiUrl: `${url}/telegram` },
});

/** @param {Received} request */
const channelOf = ({ path }) => path.split('/')[1] ?? '';

/**
 * Returns when each monitor was first named in a channel.
 * @param {Received[]} requests
 * @param {string} channel
 * @returns {Map<string, number>} milliseconds since the epoch, by the monitor's name
 */
function firstNamed(requests, channel) {
  const named = new Map();
  for (const request of requests) {
    if (channelOf(request) !== channel) continue;
    for (const name of request.body.match(/Monitor \d+/g) ?? []) {
      named.set(name, Math.min(request.at, named.get(name) ?? request.at));
    }
  }
  return named;
}

/**
 * Returns the end of the check that confirmed each failure: the last check that began before the incident was opened.
 * @param {Stand} stand
 * @returns {Promise<Map<string, number>>} by the monitor's name
 */
async function confirmedAt({ client }) {
  const { rows } = await client.query(
    `select m.name, max(c.at + coalesce(c.latency_ms, 0) * interval '1 ms') as at
     from incidents i join monitors m on m.id = i.monitor_id join checks c on c.monitor_num = m.num and c.at <= i.created_at
     group by m.name`,
  );
  return new Map(rows.map(({ name, at }) => [name, at.getTime()]));
}

/**
 * @param {Map<string, number>} named
 * @param {(name: string) => number} since
 */
function figures(named, since) {
  const all = [...named].map(([name, at]) => at - since(name)).sort((a, b) => a - b);
  const share = (/** @type {number} */ part) => all[Math.ceil(all.length * part) - 1] ?? Number.NaN;
  return { p50: share(0.5), p99: share(0.99), max: share(1) };
}

/** @param {Child} receiver */
async function takeReceived(receiver) {
  receiver.send('take');
  return /** @type {Promise<Received[]>} */ (answerOf(receiver));
}

/**
 * Makes this many new monitors fail at once, and waits until every channel has named all of them.
 * @param {Stand} stand
 * @param {{ receiver: Child, url: string }} to
 * @param {number} count
 * @returns {Promise<Received[]>}
 */
async function untilNotified(stand, { receiver, url }, count) {
  const { client, targetUrl } = stand;
  // Not deleted, because the rows of a deleted team are removed by a job.
  await client.query('truncate teams, deleted_teams, monitors, incidents, checks cascade');
  await makeTeam(client);
  const channels = channelsAt(url);
  for (const [type, config] of Object.entries(channels)) {
    await client.query(
      `insert into channels (id, team_id, type, name, config) values (upper($1), 'BENCH', $1::channel_type, $1, $2)`,
      [type, config],
    );
  }
  await replaceMonitors(client, { url: targetUrl, count, intervalSeconds: INTERVAL_SECONDS, isNew: true });
  const worker = startWorker(stand);
  /** @type {Received[]} */
  const requests = [];
  try {
    const missing = () => Object.keys(channels).filter((channel) => firstNamed(requests, channel).size < count);
    for (const end = Date.now() + PATIENCE_MS; missing().length > 0; await sleep(200)) {
      if (Date.now() > end) throw new Error(`Not all of ${count} incidents were notified in: ${missing().join(', ')}.`);
      requests.push(...(await takeReceived(receiver)));
    }
  } finally {
    worker.kill('SIGTERM');
    await ended(worker);
  }
  requests.push(...(await takeReceived(receiver)));
  return requests;
}

const line = (/** @type {(string | number)[]} */ cells) =>
  console.log(cells.map((cell, at) => (at === 1 ? String(cell).padEnd(10) : String(cell).padStart(10))).join(' '));

/** Prints the time from failure to notification for 1, 100 and 1,000 incidents, next to a bare loop. Takes 1 to 3 min. */
export async function run() {
  const stand = await openStand();
  const receiver = helper('../alerts/receiver.mjs');
  const bare = helper('../alerts/bare-posts.mjs');
  try {
    const { url } = await answerOf(receiver);
    stand.target.send({ status: 503 });
    console.log('ms from the confirmed failure, or the start of the bare loop, until a message names the monitor');
    line(['incidents', 'channel', 'messages', 'first', 'p50', 'p99', 'bare p50', 'bare p99', 'p99 ratio']);
    for (const count of COUNTS) {
      const requests = await untilNotified(stand, { receiver, url }, count);
      const confirmed = await confirmedAt(stand);
      bare.send(
        requests.map((request) => ({ channel: channelOf(request), url: url + request.path, body: request.body })),
      );
      const began = /** @type {number} */ (await answerOf(bare));
      const posted = await takeReceived(receiver);
      const earliest = Math.min(...confirmed.values());
      for (const channel of Object.keys(channelsAt(url))) {
        const named = firstNamed(requests, channel);
        const ours = figures(named, (name) => confirmed.get(name) ?? Number.NaN);
        const theirs = figures(firstNamed(posted, channel), () => began);
        const messages = requests.filter((request) => channelOf(request) === channel).length;
        const first = Math.min(...named.values()) - earliest;
        const ratio = (ours.p99 / Math.max(1, theirs.p99)).toFixed(1);
        line([count, channel, messages, first, ours.p50, ours.p99, theirs.p50, theirs.p99, ratio]);
      }
    }
  } finally {
    for (const child of [receiver, bare]) child.kill();
    await stand.stop();
  }
}
