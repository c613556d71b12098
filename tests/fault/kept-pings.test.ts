import { readdir, rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { childrenOf, isAlive } from '@/tests/support/processes';
import { type Launched, launch, newDataDir, untilReady } from '@/tests/support/product';
import { until } from '@/tests/support/receivers';
import { type StoppablePostgres, stoppablePostgres } from './stoppable-postgres';

// The built web process and a worker while PostgreSQL is stopped for half a minute, in which pings of jobs are due and the web process is killed.

const APP_SECRET = 'one secret for every process of this test';
const person = { email: 'robin@example.test', password: 'nine unlikely words in a row' };
const INTERVAL_SECONDS = 60;
const PATIENCE_MS = 60_000;
/** On a busy machine, the first request to a new process reaches it after seconds. */
const LONGEST_REQUEST_MS = 10_000;
const NAMES = ['before the kill', 'after the kill', 'failed'] as const;

interface Job {
  id: string;
  path: string;
}

let database: StoppablePostgres;
let url: string;
let web: Launched;
let worker: Launched;
const jobs = new Map<string, Job>();
/** The answers to pings while the database was stopped, and when they came. */
const answers: { name: string; status: number; body: unknown; at: number }[] = [];

async function post(path: string, body: object, token?: string): Promise<Record<string, never>> {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  return (await response.json()) as Record<string, never>;
}

async function ping(name: string, signal = '', body = ''): Promise<void> {
  const at = Date.now();
  const address = `${url}${jobs.get(name)?.path}${signal}`;
  const response = await fetch(address, { method: 'POST', body });
  answers.push({ name, status: response.status, body: await response.json(), at });
}

async function query<T extends object>(sql: string, values: unknown[] = []): Promise<T[]> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

const stateOf = async (name: string) => {
  const sql = `select status::text, expected_since as "expectedSince" from monitor_states where monitor_id = $1 and region = ''`;
  const [state] = await query<{ status: string; expectedSince: Date }>(sql, [jobs.get(name)?.id]);
  return state;
};

const webProcess = () => childrenOf(web.pid).find(({ command }) => command.startsWith('upwatch-web'))?.pid ?? 0;

async function stop(launched: Launched | undefined): Promise<void> {
  if (!launched) return;
  if (isAlive(launched.pid)) process.kill(launched.pid, 'SIGTERM');
  await launched.exited;
  await rm(launched.dataDir, { recursive: true, force: true });
}

const answersAgain = () =>
  fetch(`${url}/api/health`).then(
    ({ status }) => status === 200,
    () => false,
  );

beforeAll(async () => {
  database = await stoppablePostgres();
  const settings = { DATABASE_URL: database.url, APP_SECRET, AUTH_RATE_LIMIT_PER_MINUTE: '0' };
  const PORT = String(await freePort());
  url = `http://127.0.0.1:${PORT}`;
  web = launch({ ...settings, DATA_DIR: await newDataDir(), PORT }, 'web');
  await untilReady(web);
  worker = launch({ ...settings, DATA_DIR: await newDataDir() }, 'worker');
  const { accessToken } = await post('/auth/signup', person);
  for (const name of NAMES) {
    const body = { type: 'heartbeat', name, intervalSeconds: INTERVAL_SECONDS, config: { graceSeconds: 10 } };
    const { monitor } = (await post('/dashboard/monitors', body, accessToken)) as unknown as {
      monitor: { id: string; config: { pingUrl: string } };
    };
    jobs.set(name, { id: monitor.id, path: new URL(monitor.config.pingUrl).pathname });
    await ping(name);
  }
  expect(answers.splice(0).map(({ status }) => status)).toEqual(NAMES.map(() => 200));
  await until(async () => (await query('select 1 from workers')).length > 0, PATIENCE_MS, 'The worker');
  // The next pings are due within the outage.
  await query(`update monitor_states set expected_since = now() - interval '55 s', due_at = now() + interval '15 s'`);

  await database.stop();
  await ping('before the kill', '', 'the log of a run');
  await ping('failed', '/fail');
  await ping('failed');
  const killed = webProcess();
  process.kill(killed, 'SIGKILL');
  await until(async () => webProcess() !== killed && (await answersAgain()), PATIENCE_MS, 'Another web process');
  await ping('after the kill');
  await sleep(20_000);
  await database.start();
  const isRecorded = async (name: string) => {
    const { at = 0 } = answers.findLast((each) => each.name === name) ?? {};
    const state = await stateOf(name);
    return state?.status === 'up' && Math.abs(state.expectedSince.getTime() - at) < LONGEST_REQUEST_MS;
  };
  for (const name of NAMES) {
    await until(() => isRecorded(name), PATIENCE_MS, `The ping "${name}"`).catch(async ({ message }: Error) => {
      throw new Error(`${message} ${JSON.stringify({ answers, state: await stateOf(name) })}`);
    });
  }
}, 240_000);

afterAll(async () => {
  await Promise.all([stop(web), stop(worker)]);
  await database?.remove();
});

describe('pings while PostgreSQL is stopped', () => {
  it('answers pings with 202 while PostgreSQL is stopped', () => {
    expect(answers).toHaveLength(4);
    expect(answers.filter(({ status }) => status !== 202)).toEqual([]);
  });

  it('records kept pings in order and with their bodies when PostgreSQL is back, also those of a killed web process', async () => {
    for (const name of NAMES) expect((await stateOf(name))?.status).toBe('up');
    const bodies = await query(`select body from heartbeat_bodies where monitor_id = $1`, [
      jobs.get('before the kill')?.id,
    ]);
    expect(bodies).toEqual([{ body: 'the log of a run' }]);
  });

  it('count as received: none is missed, and the failure that came is an incident', async () => {
    const sql = `select m.name, i.status::text from incidents i join monitors m on m.id = i.monitor_id`;
    expect(await query(sql)).toEqual([{ name: 'failed', status: 'resolved' }]);
  });

  it('leave nothing behind', async () => {
    await until(async () => (await readdir(`${web.dataDir}/pings`)).length === 0, PATIENCE_MS, 'An empty directory');
  });
});
