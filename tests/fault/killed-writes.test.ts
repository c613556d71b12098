import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Product, startProduct } from '@/tests/support/product';

const WRITERS = 12;
const KILLS = 4;
const GIVE_UP_MS = 120_000;

let product: Product;
let key = '';

beforeAll(async () => {
  product = await startProduct({ env: { RATE_LIMIT_PER_MINUTE: '0' } });
  const account = { email: 'writer@example.test', password: 'a long enough password' };
  const { accessToken } = await post('/auth/signup', account, {});
  const made = await post('/dashboard/api-keys', { name: 'writer', scopes: ['read', 'write'] }, bearer(accessToken));
  key = made.secret;
});

afterAll(async () => {
  await product?.stop();
});

const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

async function send(path: string, body: unknown, headers: Record<string, string>) {
  const response = await fetch(product.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: await response.json() };
}

async function post(path: string, body: unknown, headers: Record<string, string>) {
  const answer = await send(path, body, headers);
  if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Sends a creation under one key until it is answered, as a careful client does. Returns the monitor's ID. */
async function createOnce(name: string): Promise<string> {
  const body = { type: 'heartbeat', name, config: {}, intervalSeconds: 3600 };
  const headers = { ...bearer(key), 'idempotency-key': name };
  for (const end = Date.now() + GIVE_UP_MS; Date.now() < end; await sleep(50)) {
    const answer = await send('/api/v1/monitors', body, headers).catch(() => null);
    if (answer?.status === 201) return answer.body.monitor.id;
    if (answer && answer.status !== 409 && answer.status < 500) throw new Error(JSON.stringify(answer.body));
  }
  throw new Error(`${name} was not answered.`);
}

async function idsByName(): Promise<Map<string, string[]>> {
  const ids = new Map<string, string[]>();
  let cursor: string | null = '';
  while (cursor !== null) {
    const query: string = cursor === '' ? '' : `&cursor=${cursor}`;
    const response = await fetch(`${product.url}/api/v1/monitors?limit=100${query}`, { headers: bearer(key) });
    const page = (await response.json()) as { monitors: { id: string; name: string }[]; nextCursor: string | null };
    for (const { id, name } of page.monitors) ids.set(name, [...(ids.get(name) ?? []), id]);
    cursor = page.nextCursor;
  }
  return ids;
}

describe('web process killed during writes', () => {
  it(`leaves no change without its stored response, in ${KILLS} kills`, async () => {
    const answered = new Map<string, string>();
    let isOver = false;
    const writers = Array.from({ length: WRITERS }, async (_, writer) => {
      for (let index = 0; !isOver; index += 1) {
        const name = `monitor-${writer}-${index}`;
        answered.set(name, await createOnce(name));
      }
    });
    for (let kill = 0; kill < KILLS; kill += 1) {
      const before = answered.size;
      await expect.poll(() => answered.size, { timeout: GIVE_UP_MS, interval: 20 }).toBeGreaterThan(before + WRITERS);
      // At a different point of the request each time.
      await sleep(kill * 14);
      product.kill('web');
    }
    isOver = true;
    await Promise.all(writers);
    const isReady = () =>
      fetch(`${product.url}/api/ready`)
        .then(({ ok }) => ok)
        .catch(() => false);
    await expect.poll(isReady, { timeout: GIVE_UP_MS }).toBe(true);
    const stored = await idsByName();
    const twice = [...stored].filter(([, ids]) => ids.length > 1).map(([name]) => name);
    expect(twice, `of ${answered.size} monitors`).toEqual([]);
    expect(new Map([...stored].map(([name, [id]]) => [name, id]))).toEqual(answered);
  }, 400_000);
});
