import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '@/scripts/lib/database/database.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { type Launched, launch, newDataDir, untilReady } from '@/tests/support/product';
import { random } from '@/tests/support/random';
import { type HttpReceiver, type ReceivedRequest, startHttpReceiver, until } from '@/tests/support/receivers';
import { PatientClient } from './patient-client';
import { endWorker, startWorker } from './workers';

// Two workers of the built product, of which one is killed repeatedly at random moments, while incidents open and resolve, the receivers of three
// channels fail in every way, and PostgreSQL is restarted. The test compares the receivers' requests with the incidents.

const INCIDENTS = 200;
const CHANNELS = ['/a', '/b', '/c'];
const KILLS = 30;
const INTERVAL_SECONDS = 10;
const PATIENCE_MS = 240_000;
/** Failed attempts of a message: later ones are minutes apart. */
const MOST_FAILURES = 2;
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);

const failures = ['500', '429', 'reset', 'hang'] as const;
type Answer = (typeof failures)[number] | 'accepted';

/** A request of a channel, with what it was answered. */
interface Told {
  channel: string;
  webhookId: string;
  event: string;
  incidentId: string;
  answer: Answer;
}

const chance = random(SEED);
const failing = new Set<string>();
const told: Told[] = [];
const workers: ChildProcess[] = [];
let kills = 0;
let restarts = 0;
let dataDir: string;
let database: Awaited<ReturnType<typeof openDatabase>>;
let env: Record<string, string>;
let web: Launched;
let client: PatientClient;
let target: HttpReceiver;
let receiver: HttpReceiver;

interface Monitor {
  id: string;
  status: string;
}

interface Incident {
  id: string;
  monitorId: string;
  type: string;
  status: string;
}

/** A third of the first attempts at each message fail. */
function chooseAnswer(channel: string, webhookId: string): Answer {
  const before = told.filter((each) => each.channel === channel && each.webhookId === webhookId);
  if (before.length >= MOST_FAILURES || chance() > 0.35) return 'accepted';
  // A send that hangs takes 10 s, and its place.
  return chance() < 0.9 ? (failures[Math.floor(chance() * 3)] ?? '500') : 'hang';
}

function respond({ path: channel, headers, body }: ReceivedRequest) {
  const { type, data } = JSON.parse(body) as { type: string; data: { incident: { id: string } } };
  const webhookId = String(headers['webhook-id']);
  const answer = chooseAnswer(channel, webhookId);
  told.push({ channel, webhookId, event: type, incidentId: data.incident.id, answer });
  switch (answer) {
    case '429':
      return { status: 429, headers: { 'retry-after': '1' } };
    case '500':
      return { status: 500 };
    case 'accepted':
      return { status: 200 };
    default:
      return answer;
  }
}

async function untilStatus(wanted: string): Promise<void> {
  const isThere = async () => {
    await sleep(500);
    return (await client.list<Monitor>('/api/v1/monitors', 'monitors')).every(({ status }) => status === wanted);
  };
  await until(isThere, PATIENCE_MS, `All ${wanted}`);
}

const start = () => startWorker(undefined, env);

/** Kills one of the two workers at a random moment, and starts another in its place. */
async function killOne(): Promise<void> {
  await sleep(300 + chance() * 2_400);
  const place = chance() < 0.5 ? 0 : 1;
  const worker = workers[place];
  if (!worker) throw new Error('There is no worker to kill.');
  // One that ended by itself is a fault of the product.
  expect(worker.exitCode).toBeNull();
  await endWorker(worker, 'SIGKILL');
  kills += 1;
  workers[place] = start();
}

/** Ends PostgreSQL, by a crash or at once but in order. It is started again as by the start script. */
function restartDatabase(signal: 'SIGKILL' | 'SIGINT'): void {
  const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  process.kill(postmaster, signal);
  restarts += 1;
}

/** The faults, one after the other; a third of the kills comes before each restart of the database, and a third after both. */
async function disturb(): Promise<void> {
  for (let count = 1; count <= KILLS; count += 1) {
    await killOne();
    if (count === KILLS / 3) restartDatabase('SIGKILL');
    if (count === (2 * KILLS) / 3) restartDatabase('SIGINT');
  }
}

/** Makes every monitor fail, each at a time of its own, and recover when all are down and half of the kills are over. */
async function outage(): Promise<void> {
  for (let index = 0; index < INCIDENTS; index += 1) {
    failing.add(`/${index}`);
    await sleep(chance() * 50);
  }
  await untilStatus('down');
  await until(() => kills >= KILLS / 2, PATIENCE_MS, 'Half of the kills');
  failing.clear();
  await untilStatus('up');
}

const accepted = () => told.filter(({ answer }) => answer === 'accepted');

beforeAll(async () => {
  [target, receiver] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  target.respond(({ path }) => ({ status: failing.has(path) ? 503 : 200 }));
  receiver.respond(respond);
  dataDir = await newDataDir();
  database = await openDatabase(dataDir);
  env = {
    ...{ DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: String(await freePort()) },
    ...{ APP_SECRET: 'a secret of this test alone, of sixty-four characters or thereabouts' },
    ...{ ALLOW_PRIVATE_TARGETS: 'true', RATE_LIMIT_PER_MINUTE: '0', EGRESS_CANARIES: new URL(target.url).host },
  };
  web = launch(env, 'web');
  await untilReady(web);
  client = new PatientClient(`http://127.0.0.1:${env.PORT}`);
  await client.signUp('alerts', async () => {
    for (const path of CHANNELS) {
      const channel = { type: 'webhook', name: path, config: { url: receiver.url + path } };
      await client.call('POST', '/dashboard/notification-channels', channel);
    }
  });
  const confirm = { failures: 2, recoveries: 1, retryDelayMs: 1_000 };
  await Promise.all(
    Array.from({ length: INCIDENTS }, (_, index) =>
      client.call('POST', '/api/v1/monitors', {
        ...{ type: 'http', name: `Watched ${index}`, intervalSeconds: INTERVAL_SECONDS },
        config: { url: `${target.url}/${index}`, confirm },
      }),
    ),
  );
  workers.push(start(), start());
  await untilStatus('up');
  await Promise.all([disturb(), outage()]);
  const wanted = 2 * INCIDENTS * CHANNELS.length;
  const done = () => new Set(accepted().map(({ channel, webhookId }) => channel + webhookId)).size;
  await until(() => done() >= wanted, PATIENCE_MS, 'Every message');
  // Messages sent again because their answers were lost have arrived by now.
  await sleep(2_000);
}, 600_000);

afterAll(async () => {
  await Promise.all(workers.map((worker) => endWorker(worker, 'SIGKILL')));
  if (web) process.kill(web.pid, 'SIGTERM');
  await web?.exited;
  await database?.stop();
  await Promise.all([target?.close(), receiver?.close(), rm(dataDir, { recursive: true, force: true })]);
});

const keyOf = ({ channel, incidentId, event }: Told) => `${channel} ${incidentId} ${event}`;

describe(`${INCIDENTS} incidents under ${KILLS} kills of a worker and two restarts of PostgreSQL (FAULT_SEED=${SEED})`, () => {
  it('had every kind of fault', () => {
    expect({ kills, restarts }).toEqual({ kills: KILLS, restarts: 2 });
    expect([...new Set(told.map(({ answer }) => answer))].toSorted()).toEqual(['accepted', ...failures].toSorted());
  });

  it('opens and resolves one incident for each outage', async () => {
    const incidents = await client.list<Incident>('/api/v1/incidents', 'incidents');
    const monitors = await client.list<Monitor>('/api/v1/monitors', 'monitors');
    expect(incidents.map(({ monitorId, type, status }) => `${monitorId} ${type} ${status}`).toSorted()).toEqual(
      monitors.map(({ id }) => `${id} downtime resolved`).toSorted(),
    );
  });

  it('delivers each event to each channel under one webhook-id', async () => {
    const incidents = await client.list<Incident>('/api/v1/incidents', 'incidents');
    const ids = new Map<string, string>();
    for (const each of told) ids.set(each.webhookId, keyOf(each));
    expect(told.filter((each) => ids.get(each.webhookId) !== keyOf(each))).toEqual([]);
    const expected = CHANNELS.flatMap((channel) =>
      incidents.flatMap(({ id }) => [`${channel} ${id} incident.opened`, `${channel} ${id} incident.resolved`]),
    );
    expect([...ids.values()].toSorted()).toEqual(expected.toSorted());
    expect([...new Set(accepted().map(keyOf))].toSorted()).toEqual(expected.toSorted());
  });

  it('sends no resolved message before the opened one is accepted', () => {
    const opened = new Set<string>();
    const early = told.filter(({ channel, incidentId, event, answer }) => {
      const incident = `${channel} ${incidentId}`;
      if (event === 'incident.opened' && answer === 'accepted') opened.add(incident);
      return event === 'incident.resolved' && !opened.has(incident);
    });
    expect(early).toEqual([]);
  });
});
