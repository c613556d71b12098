import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Product, startProduct } from '@/tests/support/product';
import { signIn } from '@/tests/support/sign-in';

/** Low, so that the flood exceeds it on a slow machine too. */
const PAGES_PER_MINUTE = 300;
const BURST = PAGES_PER_MINUTE / 5;
const FLOODERS = 40;
const ROUNDS = 15;
const person = { email: 'robin@example.test', password: 'a long enough password' };

let product: Product;
/** The requests of the quiet network: pages of a signed-in user, their API, and a status page. */
let quiet: Record<'page' | 'api' | 'status', { path: string; headers: Record<string, string> }>;

const agents: Agent[] = [];

function send(agent: Agent, path: string, headers: Record<string, string> = {}) {
  return new Promise<{ status: number; headers: IncomingHttpHeaders }>((resolve, reject) => {
    const sent = request(product.url + path, { agent, headers }, (response) => {
      response.resume();
      response.once('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
      response.once('error', reject);
    });
    sent.once('error', reject).end();
  });
}

/** A client with its own address: Linux has all of 127.0.0.0/8. */
function clientAt(localAddress: string): Agent {
  const agent = new Agent({ keepAlive: true, localAddress });
  agents.push(agent);
  return agent;
}

async function post<T>(path: string, body: object, token?: string): Promise<T> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const answer = await fetch(product.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(answer.ok, path).toBe(true);
  return answer.json() as Promise<T>;
}

beforeAll(async () => {
  product = await startProduct({
    env: {
      RATE_LIMIT_PER_MINUTE: '0',
      PAGE_RATE_LIMIT_PER_MINUTE: String(PAGES_PER_MINUTE),
      ALLOW_PRIVATE_TARGETS: 'true',
    },
  });
  const { accessToken } = await post<{ accessToken: string }>('/auth/signup', person);
  const target = { type: 'http', name: 'Shop', config: { url: 'http://127.0.0.1:9/' }, intervalSeconds: 3600 };
  const { monitor } = await post<{ monitor: { id: string } }>('/api/v1/monitors', target, accessToken);
  await post('/dashboard/status-pages', { slug: 'shop', title: 'Shop', monitorIds: [monitor.id] }, accessToken);
  const cookie = await signIn(product.url, person);
  quiet = {
    page: { path: '/settings/account', headers: { cookie, accept: 'text/html' } },
    api: { path: '/api/v1/monitors', headers: { authorization: `Bearer ${accessToken}` } },
    status: { path: '/status/shop', headers: { accept: 'text/html' } },
  };
}, 240_000);

afterAll(async () => {
  for (const agent of agents) agent.destroy();
  await product?.stop();
});

const median = (times: number[]) => times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;

/** The median times of the quiet network's requests. */
async function measure(agent: Agent) {
  const times = { page: [] as number[], api: [] as number[], status: [] as number[] };
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, { path, headers }] of Object.entries(quiet)) {
      const began = performance.now();
      const { status } = await send(agent, path, headers);
      expect([path, status]).toEqual([path, 200]);
      times[name as keyof typeof times].push(performance.now() - began);
    }
  }
  return { page: median(times.page), api: median(times.api), status: median(times.status) };
}

/** Makes each client request pages one after the other while `work` runs. Returns its result, and the responses to the flood. */
async function flooded<T>(clients: Agent[], work: () => Promise<T>) {
  const answers: { status: number; headers: IncomingHttpHeaders }[] = [];
  let isOver = false;
  const paths = ['/login', '/nothing', '/docs', '/robots.txt', '/invite/nothing', '/login?_rsc=1'];
  const flood = Promise.all(
    clients.map(async (agent, index) => {
      for (let round = index; !isOver; round += 1) {
        const path = paths[round % paths.length] ?? '';
        const headers = path.includes('_rsc') ? { rsc: '1' } : { accept: 'text/html' };
        const answer = await send(agent, path, { ...headers, cookie: `upwatch.session=forged-${round}` });
        answers.push(answer);
        // Answers without a page would come as fast as this process can ask.
        if (answer.status === 429) await sleep(100);
      }
    }),
  );
  try {
    return { value: await work(), answers };
  } finally {
    isOver = true;
    await flood;
  }
}

it.runIf(process.platform === 'linux')(
  'answers other networks while one floods pages, which gets 429',
  async () => {
    const client = clientAt('127.0.0.1');
    const flooder = clientAt('127.0.0.2');
    await measure(client);
    const alone = await measure(client);
    const { value: beside, answers } = await flooded(new Array(FLOODERS).fill(flooder), async () => {
      const first = await measure(client);
      return { first, second: await measure(client) };
    });
    console.log(JSON.stringify({ alone, ...beside, answers: answers.length }));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.every(({ headers }) => Number(headers['retry-after']) >= 5)).toBe(true);
    // Ratios within one run. The quiet network waits for a few pages; without turns, for forty.
    for (const { page, api, status } of [beside.first, beside.second]) {
      expect(page).toBeLessThan(alone.page * 8);
      expect(api).toBeLessThan(alone.page * 6);
      expect(status).toBeLessThan(alone.page * 6);
    }
  },
  240_000,
);

it.runIf(process.platform === 'linux')(
  'answers the API while many networks flood pages',
  async () => {
    const client = clientAt('127.0.0.1');
    const alone = await measure(client);
    const clients = Array.from({ length: FLOODERS }, (_, index) => clientAt(`127.0.1.${index + 1}`));
    const { api, status } = quiet;
    const { value: beside, answers } = await flooded(clients, async () => {
      const times = { api: [] as number[], status: [] as number[] };
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const [name, { path, headers }] of Object.entries({ api, status })) {
          const began = performance.now();
          await send(client, path, headers);
          times[name as keyof typeof times].push(performance.now() - began);
        }
      }
      return { api: median(times.api), status: median(times.status) };
    });
    console.log(JSON.stringify({ alone, beside, answers: answers.length }));
    expect(answers.length).toBeLessThan(FLOODERS * BURST);
    expect(answers.filter(({ status: code }) => code >= 500 || code === 429)).toEqual([]);
    expect(beside.api).toBeLessThan(alone.page * 6);
    expect(beside.status).toBeLessThan(alone.page * 6);
  },
  240_000,
);
