import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { isFailing } from '@/scripts/lib/demo.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { launchCommand, type Product, startProduct } from '@/tests/support/product';

const COMMAND = [process.execPath, 'scripts/upwatch.mjs', 'demo'];
let product: Product;
let env: Record<string, string>;

beforeAll(async () => {
  product = await startProduct({ env: { ALLOW_PRIVATE_TARGETS: 'true', SIGNUPS: 'invite' } });
  env = { DATA_DIR: product.dataDir, PORT: new URL(product.url).port, ALLOW_PRIVATE_TARGETS: 'true' };
  return () => product.stop();
});

async function send(path: string, body?: object, token?: string) {
  const response = await fetch(product.url + path, {
    method: body ? 'POST' : 'GET',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['scripts/upwatch.mjs', 'demo', ...args], {
    env: { NODE_ENV: 'production', PATH: process.env.PATH ?? '', HOME: '/', ...env },
    encoding: 'utf8',
  });

it('creates a team whose target fails for two of six minutes, and removes it with its account', async () => {
  expect(run()).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/^Sign up first/) });
  const owner = { email: 'owner@example.test', password: 'a long enough password' };
  expect((await send('/auth/signup', owner)).status).toBe(201);

  const demo = launchCommand([...COMMAND, '--json', '--port', String(await freePort())], env);
  onTestFinished(() => void spawnSync('kill', [String(demo.pid)]));
  await expect.poll(() => demo.logs(), { timeout: 60_000 }).toMatch(/\n/);
  const { email, password } = JSON.parse(demo.logs());
  const token = (await send('/auth/login', { email, password })).body.accessToken;
  const statuses = async () => {
    const { monitors } = (await send('/dashboard/monitors', undefined, token)).body;
    return Object.fromEntries(monitors.map(({ name, status }: Record<string, string>) => [name, status]));
  };
  const all = { Website: 'up', Checkout: 'up', Search: 'up', Port: 'up', 'Nightly job': 'up' };
  await expect.poll(statuses, { timeout: 30_000, interval: 1_000 }).toEqual(all);
  await expect.poll(statuses, { timeout: 120_000, interval: 1_000 }).toMatchObject({ Checkout: 'down', Website: 'up' });
  const { incidents } = (await send('/api/v1/incidents', undefined, token)).body;
  expect(incidents).toHaveLength(1);

  process.kill(demo.pid, 'SIGINT');
  expect(await demo.exited).toBe(0);
  expect(run('--remove', '--json')).toMatchObject({
    status: 0,
    stderr: '',
    stdout: expect.stringMatching(/^\{"removed":"Demo /),
  });
  expect((await send('/auth/login', { email, password })).status).toBe(401);
  expect((await send('/auth/login', owner)).status).toBe(200);
  expect(run('--remove')).toMatchObject({ status: 1, stderr: expect.stringMatching(/^There is no demo/) });
}, 300_000);

it('fails from 30 s to 150 s of each period of 6 min', () => {
  const seconds = [0, 29, 30, 149, 150, 359, 360, 391, 509, 511];
  expect(seconds.filter((second) => isFailing(second * 1000))).toEqual([30, 149, 391, 509]);
});
