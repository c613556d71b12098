import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Product, startProduct } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';
import { type ReplicatedPostgres, replicatedPostgres } from '@/tests/support/replicated-postgres';
import { PatientClient } from './patient-client';

// The built product on a PostgreSQL primary and its synchronous standby. While monitors begin to fail and a script writes, the primary is killed and the
// standby promoted.

const MONITORS = 10;
const INTERVAL_SECONDS = 5;
const WRITERS = 2;
const PATIENCE_MS = 60_000;
/** From the promotion until every monitor is checked again. */
const CHECKED_WITHIN_MS = 15_000;

interface Outage {
  status: number;
  retryAfter: string | null;
  text: string;
}

const failing = new Set<string>();
const accepted: string[] = [];
const outages = new Map<string, Outage>();
let servers: ReplicatedPostgres;
let product: Product;
let target: HttpReceiver;
let receiver: HttpReceiver;
let client: PatientClient;
let isOver = false;
let checkedAfterMs = Number.NaN;

/** Few checks decide, so that the test is short. */
const confirm = { failures: 2, recoveries: 1, retryDelayMs: 1_000 };
const pathOf = (index: number) => `/${index}`;
const paths = Array.from({ length: MONITORS }, (_, index) => pathOf(index));

/** Creates monitors one after the other, each under its own key. An answer with 201 is an accepted change. */
async function write(writer: number): Promise<void> {
  for (let count = 0; !isOver; count += 1) {
    const name = `Written ${writer} ${count}`;
    const body = { type: 'heartbeat', name, config: {}, intervalSeconds: 86_400 };
    await client.call('POST', '/api/v1/monitors', body, name.replaceAll(' ', '-'));
    accepted.push(name);
    await sleep(20);
  }
}

interface Monitor {
  id: string;
  name: string;
  status: string;
}
interface Incident {
  id: string;
  monitorId: string;
  status: string;
}
const watched = async () =>
  (await client.list<Monitor>('/api/v1/monitors', 'monitors')).filter(({ name }) => name.startsWith('Watched'));
const untilAll = (status: string) =>
  until(async () => (await watched()).every((each) => each.status === status), PATIENCE_MS, `All ${status}`);

async function askOnce(path: string): Promise<void> {
  const headers = { authorization: `Bearer ${client.token}`, accept: path.startsWith('/api') ? '*/*' : 'text/html' };
  const response = await fetch(product.url + path, { headers, signal: AbortSignal.timeout(20_000) });
  const { status } = response;
  outages.set(path, { status, retryAfter: response.headers.get('retry-after'), text: await response.text() });
}

/** The paths that were checked since a time. */
const checkedSince = (time: number) =>
  new Set(target.requests.filter(({ at }) => at.getTime() > time).map(({ path }) => path));

beforeAll(async () => {
  [servers, target, receiver] = await Promise.all([replicatedPostgres(), startHttpReceiver(), startHttpReceiver()]);
  target.respond(({ path }) => ({ status: failing.has(path) ? 503 : 200 }));
  product = await startProduct({
    env: {
      DATABASE_URL: servers.url,
      APP_SECRET: 'one secret of this test alone',
      ALLOW_PRIVATE_TARGETS: 'true',
      RATE_LIMIT_PER_MINUTE: '0',
      EGRESS_CANARIES: new URL(target.url).host,
    },
  });
  client = new PatientClient(product.url);
  const channel = { type: 'webhook', name: 'Receiver', config: { url: receiver.url } };
  await client.signUp('failover', () => client.call('POST', '/dashboard/notification-channels', channel));
  for (const path of paths) {
    const body = { type: 'http', name: `Watched ${path}`, config: { url: target.url + path, confirm } };
    await client.call('POST', '/api/v1/monitors', { ...body, intervalSeconds: INTERVAL_SECONDS });
  }
  await untilAll('up');
  const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer)));
  // Marks the promise as handled; a failure is still reported where it is awaited.
  writing.catch(() => undefined);
  await until(() => accepted.length > 10, PATIENCE_MS, 'A few accepted changes');

  // Half of them fail before the crash, so that their incidents and messages are on their way; the others fail while there is no primary.
  for (const path of paths.slice(0, MONITORS / 2)) failing.add(path);
  await until(
    () => target.requests.filter(({ path }) => failing.has(path)).length > MONITORS / 2,
    PATIENCE_MS,
    'A failure',
  );
  servers.signalPrimary('SIGKILL');
  for (const path of paths) failing.add(path);
  for (const path of ['/api/v1/monitors', '/status/none', '/api/ready']) {
    await until(() => askOnce(path).then(() => outages.get(path)?.status === 503), 20_000, `503 of ${path}`);
  }
  await servers.promote();
  const promotedAt = Date.now();
  await until(() => checkedSince(promotedAt).size === MONITORS, PATIENCE_MS, 'A check of every monitor');
  checkedAfterMs = Date.now() - promotedAt;

  await untilAll('down');
  failing.clear();
  await untilAll('up');
  isOver = true;
  await writing;
  const events = () => new Set(receiver.requests.map(({ headers }) => headers['webhook-id'])).size;
  await until(() => events() >= 2 * MONITORS, PATIENCE_MS, 'Every message');
}, 240_000);

afterAll(async () => {
  await product?.stop();
  await Promise.all([servers?.remove(), target?.close(), receiver?.close()]);
});

it('checks every monitor again within 15 s after the promotion', () => {
  expect(checkedAfterMs).toBeLessThan(CHECKED_WITHIN_MS);
});

it('answers with 503 and retry-after meanwhile, the API in its shape and pages in words', () => {
  for (const [path, { retryAfter }] of outages) expect(retryAfter, path).toBe('5');
  expect(JSON.parse(outages.get('/api/v1/monitors')?.text ?? '')).toMatchObject({
    error: { code: 'UNAVAILABLE', status: 503 },
  });
  expect(outages.get('/status/none')?.text).toMatch(/Try again in a few/);
});

it('loses no accepted change, and makes none twice', async () => {
  const names = (await client.list<Monitor>('/api/v1/monitors', 'monitors')).map(({ name }) => name);
  expect(names.filter((name) => name.startsWith('Written')).sort()).toEqual(accepted.toSorted());
});

it('loses no alert: each outage has one incident, and its receiver both messages', async () => {
  const incidents = await client.list<Incident>('/api/v1/incidents', 'incidents');
  const ids = (await watched()).map(({ id }) => id);
  expect(incidents.map(({ monitorId, status }) => `${monitorId} ${status}`).sort()).toEqual(
    ids.map((id) => `${id} resolved`).sort(),
  );
  const messages = new Map(receiver.requests.map(({ headers, body }) => [headers['webhook-id'], body]));
  const events = [...messages.values()].map((body) => {
    const { type, data } = JSON.parse(body) as { type: string; data: { incident: { id: string } } };
    return `${data.incident.id} ${type}`;
  });
  expect(events.sort()).toEqual(
    incidents.flatMap(({ id }) => [`${id} incident.opened`, `${id} incident.resolved`]).sort(),
  );
});
