import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inNightly } from '@/tests/support/nightly';
import { type Part, type Product, startProduct } from '@/tests/support/product';
import { random } from '@/tests/support/random';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { PatientClient } from './patient-client';

// Kills and freezes parts of the built product at random while monitors fail and recover and a script writes with
// idempotency keys. CHAOS_FAULTS=40 CHAOS_OUTAGES=200 makes a long run.

const FAULTS = Number(process.env.CHAOS_FAULTS ?? inNightly(12, 4));
const OUTAGES = Number(process.env.CHAOS_OUTAGES ?? inNightly(20, 10));
const SEED = Number(process.env.CHAOS_SEED ?? 20_261_122);
const INTERVAL_SECONDS = 10;
const WRITERS = 4;
const PATIENCE_MS = 180_000;
const LONGEST_FREEZE_MS = 4_000;

const chance = random(SEED);
const failing = new Set<string>();
const faults: string[] = [];
const created: string[] = [];
let product: Product;
let target: HttpReceiver;
let receiver: HttpReceiver;
let client: PatientClient;
let isOver = false;

interface Monitor {
  id: string;
  name: string;
  status: string;
}

interface Incident {
  monitorId: string;
  type: string;
  status: string;
  id: string;
}

const watched = async () =>
  (await client.list<Monitor>('/api/v1/monitors', 'monitors')).filter(({ name }) => name.startsWith('Watched'));

async function untilStatus(wanted: string): Promise<void> {
  await until(async () => (await watched()).every(({ status }) => status === wanted), PATIENCE_MS, `All ${wanted}`);
}

/** Creates paused monitors. Each request is repeated under its own key until there is a response. */
async function write(writer: number): Promise<void> {
  for (let count = 0; !isOver; count += 1) {
    const name = `Written ${writer} ${count}`;
    const body = { type: 'heartbeat', name, config: {}, intervalSeconds: 86_400 };
    await client.call('POST', '/api/v1/monitors', body, name.replaceAll(' ', '-'));
    created.push(name);
    await sleep(20);
  }
}

async function freeze(part: Part, ms: number): Promise<void> {
  const pid = product.pidOf(part);
  if (pid === null) return;
  process.kill(pid, 'SIGSTOP');
  await sleep(ms);
  try {
    process.kill(pid, 'SIGCONT');
  } catch {
    // It was killed as unresponsive, which counts as a fault too.
  }
}

async function makeFaults(): Promise<void> {
  const parts: Part[] = ['web', 'worker', 'worker', 'database'];
  for (let count = 0; count < FAULTS; count += 1) {
    await sleep(1_000 + chance() * 4_000);
    const part = parts[Math.floor(chance() * parts.length)] ?? 'worker';
    const isFreeze = part !== 'database' && chance() < 0.4;
    await until(() => product.pidOf(part) !== null, 60_000, `A ${part} process`);
    if (isFreeze) await freeze(part, 500 + chance() * LONGEST_FREEZE_MS);
    else product.kill(part);
    faults.push(`${isFreeze ? 'froze' : 'killed'} ${part}`);
  }
}

beforeAll(async () => {
  [target, receiver] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
  target.respond(({ path }) => ({ status: failing.has(path) ? 503 : 200 }));
  product = await startProduct({
    env: {
      ALLOW_PRIVATE_TARGETS: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
      EGRESS_CANARIES: new URL(target.url).host,
    },
  });
  client = new PatientClient(product.url);
  const channel = { type: 'webhook', name: 'Receiver', config: { url: receiver.url } };
  await client.signUp('chaos', () => client.call('POST', '/dashboard/notification-channels', channel));
  for (let count = 0; count < OUTAGES; count += 1) {
    const config = { url: `${target.url}/${count}` };
    await client.call('POST', '/api/v1/monitors', {
      type: 'http',
      name: `Watched ${count}`,
      config,
      intervalSeconds: INTERVAL_SECONDS,
    });
  }
  await untilStatus('up');

  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  const faulting = makeFaults();
  // Marks the promise as handled; a failure is still reported where it is awaited.
  writing.catch(() => undefined);
  faulting.catch(() => undefined);
  for (let count = 0; count < OUTAGES; count += 1) failing.add(`/${count}`);
  await untilStatus('down');
  failing.clear();
  await untilStatus('up');
  await faulting;
  isOver = true;
  await writing;
  const messageCount = () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size;
  await until(() => messageCount() >= 2 * OUTAGES, PATIENCE_MS, 'Every message');
  // Messages sent again because their answers were lost have arrived by now.
  await sleep(2_000);
}, 900_000);

afterAll(async () => {
  await product?.stop();
  await Promise.all([target?.close(), receiver?.close()]);
});

describe(`${FAULTS} kills and freezes under ${OUTAGES} outages (seed ${SEED})`, () => {
  it('stores every write exactly once', async () => {
    expect(faults).toHaveLength(FAULTS);
    const names = (await client.list<Monitor>('/api/v1/monitors', 'monitors')).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('Written')).sort()).toEqual(created.toSorted());
    expect(created.length).toBeGreaterThan(FAULTS);
  });

  it('opens and resolves one incident for each outage', async () => {
    const incidents = await client.list<Incident>('/api/v1/incidents', 'incidents');
    const expected = (await watched()).map(({ id }) => `${id} downtime resolved`);
    expect(incidents.map(({ monitorId, type, status }) => `${monitorId} ${type} ${status}`).sort()).toEqual(
      expected.sort(),
    );
  });

  it('delivers each message under one webhook-id, opened before resolved', async () => {
    const events = new Map<string, string>();
    for (const { headers, body } of receiver.requests) {
      const { type, data } = JSON.parse(body) as { type: string; data: { incident: { id: string } } };
      const id = String(headers['webhook-id']);
      const event = `${data.incident.id} ${type}`;
      expect(events.get(id) ?? event).toBe(event);
      events.set(id, event);
    }
    const incidents = await client.list<Incident>('/api/v1/incidents', 'incidents');
    const order = [...events.values()];
    expect(order.toSorted()).toEqual(
      incidents.flatMap(({ id }) => [`${id} incident.opened`, `${id} incident.resolved`]).sort(),
    );
    for (const { id } of incidents) {
      expect(order.indexOf(`${id} incident.opened`)).toBeLessThan(order.indexOf(`${id} incident.resolved`));
    }
  });
});
