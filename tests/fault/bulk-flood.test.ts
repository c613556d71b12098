import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Product, startProduct } from '@/tests/support/product';
import { PatientClient } from './patient-client';

const MONITORS = 100;
const BULK_CALLS = 24;
const LISTS = 20;

let product: Product;
let busy: PatientClient;
let quiet: PatientClient;
let ids: string[];

async function makeTeam(name: string, monitors: number): Promise<{ client: PatientClient; ids: string[] }> {
  const client = new PatientClient(product.url);
  await client.signUp(name, async () => undefined);
  const made: string[] = [];
  for (let number = 0; number < monitors; number += 1) {
    const body = {
      type: 'http',
      name: `${name} ${number}`,
      config: { url: 'http://127.0.0.1:9/' },
      intervalSeconds: 3600,
    };
    const { monitor } = await client.call<{ monitor: { id: string } }>('POST', '/api/v1/monitors', body);
    made.push(monitor.id);
  }
  return { client, ids: made };
}

beforeAll(async () => {
  product = await startProduct({ env: { RATE_LIMIT_PER_MINUTE: '0', ALLOW_PRIVATE_TARGETS: 'true' } });
  ({ client: quiet } = await makeTeam('quiet', 3));
  ({ client: busy, ids } = await makeTeam('busy', MONITORS));
}, 240_000);

afterAll(async () => {
  await product?.stop();
});

async function request(client: PatientClient, method: string, path: string, body?: object): Promise<Response> {
  const response = await fetch(product.url + path, {
    method,
    headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  });
  return new Response(await response.text(), response);
}

async function timeOfList(client: PatientClient): Promise<number> {
  const began = performance.now();
  expect((await request(client, 'GET', '/api/v1/monitors')).status).toBe(200);
  return performance.now() - began;
}

/**
 * Sends a bulk call. All bulk calls lock the same monitors, so they run one after another. On a slow machine, the last of them may wait for a
 * connection until that times out: then the flooding team, and only that team, gets 503 with `retry-after`.
 */
async function sendBulk(action: 'pause' | 'resume'): Promise<number> {
  const response = await request(busy, 'POST', '/api/v1/monitors/bulk', { action, ids });
  if (response.status !== 200) {
    expect([response.status, await response.json()]).toEqual([
      503,
      { error: expect.objectContaining({ code: 'UNAVAILABLE' }) },
    ]);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return response.status;
}

const quantile = (times: number[], share: number) =>
  times.toSorted((a, b) => a - b)[Math.min(times.length - 1, Math.floor(times.length * share))] ?? 0;

it('answers the lists of all teams while one team sends bulk calls that use all of its connections', async () => {
  const statuses: number[] = [];
  const bulk: number[] = [];
  let isFlooding = true;
  const flood = Promise.all(
    Array.from({ length: BULK_CALLS }, async (_, index) => {
      for (let round = index; isFlooding; round += 1) {
        const action = round % 2 === 0 ? 'pause' : 'resume';
        const began = performance.now();
        statuses.push(await sendBulk(action));
        bulk.push(performance.now() - began);
      }
    }),
  );
  const quietTeam: number[] = [];
  const own: number[] = [];
  for (let count = 0; count < LISTS; count += 1) {
    const [quietMs, ownMs] = await Promise.all([timeOfList(quiet), timeOfList(busy)]);
    quietTeam.push(quietMs);
    own.push(ownMs);
  }
  isFlooding = false;
  await flood;
  expect(statuses).toContain(200);
  const bulkMs = quantile(bulk, 0.5);
  // In one run, so that the speed of the machine does not matter. Without shares, lists wait as long as bulk calls.
  expect(quantile(quietTeam, 0.5)).toBeLessThan(bulkMs / 4);
  expect(quantile(quietTeam, 0.99)).toBeLessThan(bulkMs / 2);
  // Its own lists wait for the same connections, in turn with its bulk calls.
  expect(quantile(own, 0.5)).toBeLessThan(bulkMs);
}, 240_000);
