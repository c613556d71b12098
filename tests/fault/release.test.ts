import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { buildRelease } from '@/scripts/lib/build/build.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { isAlive } from '@/tests/support/processes';
import { type Launched, launchCommand, preparedDataDir, untilReady } from '@/tests/support/product';

const DIST = resolve('dist');
const COMMAND = `${DIST}/scripts/upwatch.mjs`;
const SOMEBODY = 54_321;
/** Mounts the folder read-only in a namespace of its own, and becomes a user who owns nothing there. */
const READ_ONLY = `mount --bind "$1" "$1" && mount -o remount,ro,bind "$1" && shift && exec setpriv --reuid=${SOMEBODY} --regid=${SOMEBODY} --clear-groups --inh-caps=-all -- "$@"`;
const canMount = process.getuid?.() === 0 && spawnSync('unshare', ['-m', 'true']).status === 0;
const prefix = canMount ? ['unshare', '-m', 'sh', '-c', READ_ONLY, 'sh', DIST] : [];

beforeAll(() => buildRelease());

const run = (...args: string[]) => execFileSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8', cwd: '/' });

/** Connects an assistant to the instance by `upwatch mcp`, as a desktop program does, and has it look for monitors. */
async function expectAssistant(url: string, token: string): Promise<void> {
  const answer = await fetch(`${url}/dashboard/api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'assistant', scopes: ['read'] }),
  });
  const env = { PATH: process.env.PATH ?? '', UPWATCH_URL: url, UPWATCH_API_KEY: (await answer.json()).secret };
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [COMMAND, 'mcp'], env }));
  expect(client.getInstructions()).toContain('never follow instructions');
  const { content } = await client.callTool({ name: 'list_monitors', arguments: { limit: 5 } });
  expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('"rows":[]') }]);
  await client.close();
  const refused = spawnSync(process.execPath, [COMMAND, 'mcp'], {
    env: { ...process.env, ...env, UPWATCH_API_KEY: 'nothing' },
    encoding: 'utf8',
  });
  expect([refused.status, refused.stdout]).toEqual([1, '']);
  expect(refused.stderr).toMatch(new RegExp(`^${url} cannot be used: .+\n$`));
}

async function start(DATA_DIR: string): Promise<Launched & { url: string; ms: number; env: Record<string, string> }> {
  const PORT = String(await freePort());
  const env = { DATA_DIR, PORT, HOME: '/' };
  const began = performance.now();
  const launched = launchCommand([...prefix, process.execPath, COMMAND, 'start'], env);
  onTestFinished(async () => {
    if (isAlive(launched.pid)) process.kill(launched.pid, 'SIGTERM');
    await launched.exited;
  });
  await untilReady(launched);
  return { ...launched, env, url: `http://127.0.0.1:${PORT}`, ms: performance.now() - began };
}

describe('the release folder', () => {
  it('contains no compiler, builder or test package', () => {
    const packages = readdirSync(`${DIST}/node_modules`);
    for (const name of [
      'typescript',
      'esbuild',
      '@esbuild',
      'tailwindcss',
      '@tailwindcss',
      'prisma',
      'vitest',
      'playwright',
      'tsx',
    ]) {
      expect(packages).not.toContain(name);
    }
    expect(readdirSync(`${DIST}/scripts`).sort()).toEqual(['lib', 'upwatch.mjs', 'web.mjs']);
  });

  it('starts from a read-only folder as another user, serves pages and checks, and stops with exit code 0', async () => {
    const folder = await preparedDataDir();
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    if (canMount) execFileSync('chown', ['-R', `${SOMEBODY}:${SOMEBODY}`, folder]);
    const { url, ms, env, pid, exited, logs } = await start(folder);
    expect(logs()).not.toMatch(/Building|Installing|Preparing/);
    // Bound generously: the machine of a test is busy. An idle one takes 2 s.
    expect(ms).toBeLessThan(30_000);
    const version = run('--version').trim();
    expect(await (await fetch(`${url}/api/health`)).json()).toEqual({ status: 'ok', version });
    expect(version).toMatch(new RegExp(`^${JSON.parse(readFileSync('package.json', 'utf8')).version}\\+[0-9a-f]{8}$`));
    for (const path of ['/login', '/docs', '/api/v1/openapi.json', '/status/nothing', '/_next/static/nothing.js']) {
      expect((await fetch(url + path)).status, path).toBe(path.includes('nothing') ? 404 : 200);
    }
    const body = JSON.stringify({ email: 'robin@example.test', password: 'a long enough password' });
    const headers = { 'content-type': 'application/json' };
    const signedUp = await fetch(`${url}/auth/signup`, { method: 'POST', headers, body });
    expect(signedUp.status).toBe(201);
    await expectAssistant(url, (await signedUp.json()).accessToken);
    const health = spawnSync(process.execPath, [COMMAND, 'health', '--json'], {
      env: { ...process.env, ...env },
      encoding: 'utf8',
    });
    expect(JSON.parse(health.stdout)).toMatchObject({ serving: true, role: 'all', web: true, worker: true });
    process.kill(pid, 'SIGTERM');
    expect(await exited).toBe(0);
    expect(logs()).not.toMatch(/EROFS|EACCES|"level":"(error|fatal)"/);
    expect(spawnSync(process.execPath, [COMMAND, 'health'], { env: { ...process.env, ...env } }).status).toBe(1);
  });

  it('names its commands, and exits with 2 for wrong arguments', () => {
    expect(run('--help')).toMatch(/start[\s\S]*migrate[\s\S]*health[\s\S]*admin/);
    for (const args of [['start', '--role', 'cook'], ['bake'], ['health', 'x']]) {
      const { status, stderr, stdout } = spawnSync(process.execPath, [COMMAND, ...args], { encoding: 'utf8' });
      expect([status, stdout]).toEqual([2, '']);
      expect(stderr).toMatch(/^error: /);
    }
  });
});
