import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { inNightly } from '@/tests/support/nightly';
import { type Launched, launchCommand, type Product, startProduct } from '@/tests/support/product';
import { random as seeded } from '@/tests/support/random';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';

// The built product with three agents of one team and one of another. Agents, worker and web process are killed at random while monitors go down and
// recover. The instance may not connect to private targets, so every request to the target comes from an agent.

const MONITORS = inNightly(200, 40);
const FAILING = inNightly(60, 12);
const OTHERS = 5;
const ROUNDS = inNightly(4, 1);
const KILL_EVERY_MS = 3_000;
const PATIENCE_MS = 120_000;
const random = seeded(20261128);

interface Team {
  token: string;
  secret: string;
}

let product: Product;
let target: HttpReceiver;
let client: pg.Client;
let own: Team;
let other: Team;
let others: Launched;
const agents: Launched[] = [];
const failing = new Set<string>();
const kills: Record<string, number> = { agent: 0, worker: 0, web: 0 };

async function send(method: string, path: string, body: object, token?: string) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(product.url + path, { method, headers, body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: answers of several shapes.
  const answer = (await response.json()) as any;
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${JSON.stringify(answer)}`);
  return answer;
}

async function signUp(name: string): Promise<Team> {
  const account = { email: `${name}@example.test`, password: 'nine unlikely words in a row' };
  const { accessToken: token } = await send('POST', '/auth/signup', account);
  const { secret } = await send('POST', '/api/v1/agent-tokens', { name, region: 'office' }, token);
  return { token, secret };
}

const makeMonitors = (team: Team, paths: string[]) =>
  send(
    'PUT',
    '/api/v1/monitors/by-external-id',
    {
      monitors: paths.map((path) => ({
        type: 'http',
        name: path,
        externalId: path.slice(1),
        intervalSeconds: 5,
        regions: ['private/office'],
        config: { url: target.url + path, confirm: { failures: 2, recoveries: 1, retryDelayMs: 1_000 } },
      })),
    },
    team.token,
  );

function startAgent({ secret }: Team): Launched {
  const command = [process.execPath, 'scripts/upwatch.mjs', 'agent', '--url', product.url, '--region', 'office'];
  return launchCommand(command, { UPWATCH_AGENT_TOKEN: secret, LOG_LEVEL: 'warn' });
}

async function count(sql: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ count: number }>(sql, values);
  return rows[0]?.count ?? 0;
}

const countStatus = (status: string, names: string[]) =>
  count(
    `select count(*)::int from monitor_states s join monitors m on m.id = s.monitor_id
     where s.region = '' and s.status = $1::monitor_status and m.name = any($2)`,
    [status, names],
  );

const become = (names: string[], status: string) =>
  until(
    async () => (await countStatus(status, names)) === names.length,
    PATIENCE_MS,
    `${names.length} monitors ${status}`,
  );

async function killOne(): Promise<void> {
  const what = random();
  if (what < 0.7) {
    const place = Math.floor(random() * agents.length);
    const agent = agents[place];
    if (!agent) return;
    process.kill(agent.pid, 'SIGKILL');
    await agent.exited;
    kills.agent = (kills.agent ?? 0) + 1;
    agents[place] = startAgent(own);
    return;
  }
  const part = what < 0.85 ? 'worker' : 'web';
  if (product.pidOf(part) === null) return;
  product.kill(part);
  kills[part] = (kills[part] ?? 0) + 1;
}

const paths = Array.from({ length: MONITORS }, (_, index) => `/own-${index}`);
const otherPaths = Array.from({ length: OTHERS }, (_, index) => `/other-${index}`);

beforeAll(async () => {
  target = await startHttpReceiver();
  target.respond(async ({ path }) => {
    await sleep(200);
    return { status: failing.has(path) ? 503 : 200 };
  });
  product = await startProduct({ env: { DEFAULT_PLAN: 'self_hosted', RATE_LIMIT_PER_MINUTE: '0' } });
  client = new pg.Client({ connectionString: product.childEnv.DATABASE_URL });
  await client.connect();
  [own, other] = [await signUp('own'), await signUp('other')];
  for (let from = 0; from < paths.length; from += 100) await makeMonitors(own, paths.slice(from, from + 100));
  await makeMonitors(other, otherPaths);
}, 300_000);

afterAll(async () => {
  for (const agent of [...agents, ...(others ? [others] : [])]) {
    try {
      process.kill(agent.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
  await client?.end();
  await product?.stop();
  await target?.close();
}, 60_000);

it('agents that are killed at random find each outage once, and never see what another team has', async () => {
  await sleep(5_000);
  expect(target.requests).toEqual([]);
  agents.push(...Array.from({ length: 3 }, () => startAgent(own)));
  await become(paths, 'up');
  expect(target.requests.filter(({ path }) => path.startsWith('/other'))).toEqual([]);
  others = startAgent(other);
  await become(otherPaths, 'up');

  for (let round = 0; round < ROUNDS; round += 1) {
    let isOver = false;
    const killing = (async () => {
      while (!isOver) {
        await killOne();
        await sleep(KILL_EVERY_MS);
      }
    })();
    const broken = paths.slice(0, FAILING);
    try {
      for (const path of broken) failing.add(path);
      await become(broken, 'down');
      failing.clear();
      await become(broken, 'up');
    } finally {
      isOver = true;
      await killing;
    }
  }
  await become([...paths, ...otherPaths], 'up');
  expect(kills.agent).toBeGreaterThan(0);

  const { rows } = await client.query<{ name: string; status: string; count: number }>(
    `select m.name, i.status::text, count(*)::int from incidents i join monitors m on m.id = i.monitor_id
     where i.type = 'downtime' group by 1, 2 order by 1`,
  );
  const expected = paths.slice(0, FAILING).map((name) => ({ name, status: 'resolved', count: ROUNDS }));
  expect(rows).toEqual(expected.toSorted((a, b) => (a.name < b.name ? -1 : 1)));
  // Nothing is dated before the target failed, or after now.
  expect(await count('select count(*)::int from checks where at > clock_timestamp()')).toBe(0);
  console.info(`killed ${JSON.stringify(kills)}, ${target.requests.length} requests`);

  process.kill(others.pid, 'SIGTERM');
  expect(await others.exited).toBe(0);
  const before = target.requests.length;
  await sleep(10_000);
  const since = target.requests.slice(before).map(({ path }) => path);
  expect(since.length).toBeGreaterThan(0);
  expect(since.filter((path) => path.startsWith('/other'))).toEqual([]);
}, 600_000);
