import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '@/scripts/lib/database/database.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { inNightly } from '@/tests/support/nightly';
import { type Launched, launch, newDataDir, untilReady } from '@/tests/support/product';
import { random } from '@/tests/support/random';
import { type HttpReceiver, type ReceivedRequest, startHttpReceiver, until } from '@/tests/support/receivers';
import { PatientClient } from './patient-client';
import { endWorker, startWorker } from './workers';

// Two workers of the built product, of which one is killed repeatedly at random moments, while incidents open, escalate and resolve, the receivers
// of three channels fail in every way, and PostgreSQL is restarted. The test compares the receivers' requests with the incidents.

const INCIDENTS = inNightly(200, 60);
/** The events of each channel about an incident, in order: the first step of the policy notifies one channel, the second another. */
const EVENTS: Record<string, string[]> = {
  '/a': ['incident.opened', 'incident.escalated 1', 'incident.resolved'],
  '/b': ['incident.opened', 'incident.escalated 2', 'incident.resolved'],
  '/c': ['incident.opened', 'incident.resolved'],
};
const CHANNELS = Object.keys(EVENTS);
const KILLS = inNightly(30, 6);
const INTERVAL_SECONDS = 10;
const PATIENCE_MS = 240_000;
/** Failed attempts of a message: later ones are minutes apart. */
const MOST_FAILURES = 2;
const SEED = Number(process.env.FAULT_SEED ?? Date.now() % 1_000_000);

const failures = ['500', '429', 'reset', 'hang'] as const;
type Answer = (typeof failures)[number] | 'accepted';

/** A request of a channel with the receiver's response. */
interface ReceivedMessage {
  channel: string;
  webhookId: string;
  event: string;
  incidentId: string;
  answer: Answer;
}

const chance = random(SEED);
const failing = new Set<string>();
const received: ReceivedMessage[] = [];
const workers: ChildProcess[] = [];
let kills = 0;
let restarts = 0;
let dataDir: string;
let database: Awaited<ReturnType<typeof openDatabase>>;
let env: Record<string, string>;
let web: Launched;
let client: PatientClient;
const channelIds: string[] = [];
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
  const before = received.filter((each) => each.channel === channel && each.webhookId === webhookId);
  if (before.length >= MOST_FAILURES || chance() > 0.35) return 'accepted';
  // A send that hangs occupies its slot for 10 s.
  return chance() < 0.9 ? (failures[Math.floor(chance() * 3)] ?? '500') : 'hang';
}

function respond({ path: channel, headers, body }: ReceivedRequest) {
  const { type, data } = JSON.parse(body) as {
    type: string;
    data: { incident: { id: string }; escalation?: { step: number } };
  };
  const webhookId = String(headers['webhook-id']);
  const answer = chooseAnswer(channel, webhookId);
  const event = data.escalation ? `${type} ${data.escalation.step}` : type;
  received.push({ channel, webhookId, event, incidentId: data.incident.id, answer });
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
  await sleep(300 + chance() * 3_400);
  const place = chance() < 0.5 ? 0 : 1;
  const worker = workers[place];
  if (!worker) throw new Error('There is no worker to kill.');
  // A worker that ended by itself is a fault of the product.
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

/** How many incidents took the second step of their escalation. */
const escalated = () => new Set(received.flatMap((each) => (each.event.endsWith(' 2') ? each.incidentId : []))).size;

/** Makes every monitor fail at a different time, and recover when all are down and escalated twice. */
async function outage(): Promise<void> {
  for (let index = 0; index < INCIDENTS; index += 1) {
    failing.add(`/${index}`);
    await sleep(chance() * 50);
  }
  await untilStatus('down');
  await until(() => escalated() === INCIDENTS, PATIENCE_MS, 'The second step of every escalation');
  failing.clear();
  await untilStatus('up');
}

const accepted = () => received.filter(({ answer }) => answer === 'accepted');

beforeAll(async () => {
  [target, receiver] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  target.respond(({ path }) => ({ status: failing.has(path) ? 503 : 200 }));
  receiver.respond(respond);
  dataDir = await newDataDir();
  database = await openDatabase(dataDir);
  env = {
    DATABASE_URL: database.url,
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    APP_SECRET: 'a secret of this test alone, of sixty-four characters or thereabouts',
    ALLOW_PRIVATE_TARGETS: 'true',
    RATE_LIMIT_PER_MINUTE: '0',
    EGRESS_CANARIES: new URL(target.url).host,
  };
  web = launch(env, 'web');
  await untilReady(web);
  client = new PatientClient(`http://127.0.0.1:${env.PORT}`);
  await client.signUp('alerts', async () => {
    for (const path of CHANNELS) {
      const input = { type: 'webhook', name: path, config: { url: receiver.url + path } };
      const { channel } = await client.call<{ channel: { id: string } }>(
        'POST',
        '/dashboard/notification-channels',
        input,
      );
      channelIds.push(channel.id);
    }
  });
  const steps = channelIds.slice(0, 2).map((id) => ({ targets: [{ type: 'channel', id }], waitMinutes: 1 }));
  await client.call('POST', '/api/v1/escalation-policies', { name: 'All', steps });
  const confirm = { failures: 2, recoveries: 1, retryDelayMs: 1_000 };
  await Promise.all(
    Array.from({ length: INCIDENTS }, (_, index) =>
      client.call('POST', '/api/v1/monitors', {
        type: 'http',
        name: `Watched ${index}`,
        intervalSeconds: INTERVAL_SECONDS,
        config: { url: `${target.url}/${index}`, confirm },
      }),
    ),
  );
  workers.push(start(), start());
  await untilStatus('up');
  await Promise.all([disturb(), outage()]);
  const wanted = INCIDENTS * Object.values(EVENTS).flat().length;
  const done = () => new Set(accepted().map(({ channel, webhookId }) => channel + webhookId)).size;
  // The tests say which are missing.
  await until(() => done() >= wanted, PATIENCE_MS).catch(() => undefined);
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

const keyOf = ({ channel, incidentId, event }: ReceivedMessage) => `${channel} ${incidentId} ${event}`;

describe(`${INCIDENTS} incidents under ${KILLS} kills of a worker and two restarts of PostgreSQL (FAULT_SEED=${SEED})`, () => {
  it('had every kind of fault', () => {
    expect({ kills, restarts }).toEqual({ kills: KILLS, restarts: 2 });
    expect([...new Set(received.map(({ answer }) => answer))].toSorted()).toEqual(['accepted', ...failures].toSorted());
  });

  it('opens and resolves one incident for each outage', async () => {
    const incidents = await client.list<Incident>('/api/v1/incidents', 'incidents');
    const monitors = await client.list<Monitor>('/api/v1/monitors', 'monitors');
    expect(incidents.map(({ monitorId, type, status }) => `${monitorId} ${type} ${status}`).toSorted()).toEqual(
      monitors.map(({ id }) => `${id} downtime resolved`).toSorted(),
    );
  });

  it('delivers each event, and each step of an escalation, under one webhook-id', async () => {
    const incidents = await client.list<Incident>('/api/v1/incidents', 'incidents');
    const ids = new Map<string, string>();
    for (const each of received) ids.set(each.webhookId, keyOf(each));
    expect(received.filter((each) => ids.get(each.webhookId) !== keyOf(each))).toEqual([]);
    const expected = Object.entries(EVENTS).flatMap(([channel, events]) =>
      incidents.flatMap(({ id }) => events.map((event) => `${channel} ${id} ${event}`)),
    );
    expect([...ids.values()].toSorted()).toEqual(expected.toSorted());
    expect([...new Set(accepted().map(keyOf))].toSorted()).toEqual(expected.toSorted());
  });

  it('sends no message before the one that precedes it is accepted', () => {
    const done = new Set<string>();
    const early = received.filter((each) => {
      const events = EVENTS[each.channel] ?? [];
      const [previous] = events.slice(0, events.indexOf(each.event)).slice(-1);
      const isEarly = previous !== undefined && !done.has(keyOf({ ...each, event: previous }));
      if (each.answer === 'accepted') done.add(keyOf(each));
      return isEarly;
    });
    expect(early).toEqual([]);
  });
});
