import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Product, startProduct } from '@/tests/support/product';
import { until } from '@/tests/support/receivers';
import { PatientClient } from './patient-client';

/** At most 20,000 characters of a body are accepted. */
const MOST = Math.floor(20_000 / '{{details}}'.length);
const PREVIEWS = 6;
const PROBE_MS = 10_000;
const CAUSE = '€'.repeat(4_000);

let product: Product;
let client: PatientClient;

beforeAll(async () => {
  product = await startProduct({ env: { RATE_LIMIT_PER_MINUTE: '0', ALLOW_PRIVATE_TARGETS: 'true' } });
  client = new PatientClient(product.url);
  await client.signUp('robin', async () => undefined);
  await client.call('POST', '/api/v1/channels', channel(1));
  await client.call('POST', '/api/v1/incidents', { title: 'Long', cause: CAUSE });
  await until(
    async () => (await preview(1)).text.includes('%E2%82%AC%E2%82%AC'),
    60_000,
    'A delivery with the long cause',
  );
}, 180_000);

afterAll(async () => {
  await product?.stop();
});

function channel(count: number) {
  const config = { url: 'http://127.0.0.1:9/', method: 'POST', contentType: 'form', body: '{{details}}'.repeat(count) };
  return { type: 'custom', name: 'Long', config };
}

async function post(path: string, body: object): Promise<{ status: number; text: string }> {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${client.token}` },
    body: JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

function preview(count: number) {
  const { type, config } = channel(count);
  return post('/api/v1/channels/preview', { type, config });
}

/** Asks for the health of the web process until the work ends: the status of each answer, 0 without one. */
async function probeDuring(work: Promise<unknown>): Promise<number[]> {
  const statuses: number[] = [];
  let isDone = false;
  const end = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const signal = AbortSignal.timeout(PROBE_MS);
    const probe = fetch(`${product.url}/api/health`, { signal });
    statuses.push(await probe.then(({ status }) => status).catch(() => 0));
    await sleep(20);
  }
  await end;
  return statuses;
}

it('answers every probe in the same process while previews repeat a long value and a longer body is saved', async () => {
  const before = { web: product.pidOf('web'), worker: product.pidOf('worker') };
  const previews = Promise.all(Array.from({ length: PREVIEWS }, () => preview(MOST)));
  const refused = Promise.all([
    post('/api/v1/channels', channel(MOST + 1)),
    post('/api/v1/channels', channel(90_000)),
    preview(90_000),
  ]);
  const probes = await probeDuring(Promise.all([previews, refused]));
  expect(probes.length).toBeGreaterThan(0);
  expect(probes.filter((status) => status !== 200)).toEqual([]);
  for (const { status, text } of await previews) {
    expect(status).toBe(200);
    expect(Buffer.byteLength(JSON.parse(text).preview.request.body)).toBeLessThanOrEqual(65_536);
  }
  expect((await refused).map(({ status }) => status)).toEqual([400, 400, 400]);
  expect({ web: product.pidOf('web'), worker: product.pidOf('worker') }).toEqual(before);
});
