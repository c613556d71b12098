import { rm } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { temporaryPostgres } from '@/scripts/lib/database/temporary-postgres.mjs';
import { freePort } from '@/scripts/lib/ports.mjs';
import { isAlive } from '@/tests/support/processes';
import { type Launched, launch, newDataDir } from '@/tests/support/product';
import { until } from '@/tests/support/receivers';

const PATIENCE_MS = 60_000;
const APP_SECRET = 'one secret for every machine of this test';

let database: Awaited<ReturnType<typeof temporaryPostgres>>;

beforeAll(async () => {
  database = await temporaryPostgres();
});
afterAll(() => database?.stop());

/** A part that uses the common database and is stopped when the test ends. */
async function start(
  part: 'web' | 'worker',
  settings: Record<string, string> = {},
): Promise<Launched & { url: string }> {
  const DATA_DIR = await newDataDir();
  const PORT = String(await freePort());
  const common = { DATABASE_URL: database.url, APP_SECRET, DATA_DIR, PORT, LOG_FORMAT: 'json' };
  const launched = launch({ ...common, ...settings }, part);
  onTestFinished(async () => {
    if (isAlive(launched.pid)) process.kill(launched.pid, 'SIGTERM');
    await launched.exited;
    await rm(DATA_DIR, { recursive: true, force: true });
  });
  return { ...launched, url: `http://127.0.0.1:${PORT}` };
}

const linesOf = ({ logs }: Launched) =>
  logs()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
const samples = async (url: string) => (await (await fetch(`${url}/api/metrics`)).text()).split('\n');

describe('npm run start:web and start:worker', () => {
  it('form one instance on two machines, and write JSON lines alone', async () => {
    const web = await start('web');
    await until(() => /Upwatch is ready at \S+ after/.test(web.logs()), PATIENCE_MS, 'The web process');
    expect(await samples(web.url)).toContain('upwatch_workers_running 0');
    const worker = await start('worker');
    await until(() => /Upwatch is running after/.test(worker.logs()), PATIENCE_MS, 'The worker');
    await until(async () => (await samples(web.url)).includes('upwatch_workers_running 1'), PATIENCE_MS, 'The worker');
    await expect(fetch(`${worker.url}/api/health`)).rejects.toThrow();
    const secret = 'a-token-that-no-log-may-show';
    expect((await fetch(`${web.url}/api/heartbeat/${secret}`)).status).toBe(404);
    await until(() => web.logs().includes('/api/heartbeat/{path}'), PATIENCE_MS, 'The line of the request');
    expect(linesOf(web)).toContainEqual(
      expect.objectContaining({ msg: 'Request', method: 'GET', route: '/api/heartbeat/{path}', status: 404 }),
    );
    expect(web.logs()).not.toContain(secret);
    const all = [...linesOf(web), ...linesOf(worker)];
    for (const line of all) expect(line).toMatchObject({ level: expect.any(String), time: expect.any(String) });
    expect(all.filter(({ level }) => level === 'error' || level === 'fatal')).toEqual([]);
    expect(
      (await samples(web.url)).find((line) => line.startsWith('upwatch_http_request_duration_seconds_count')),
    ).toBeDefined();
  });

  it('log no requests with REQUEST_LOG=false', async () => {
    const web = await start('web', { REQUEST_LOG: 'false' });
    await until(() => /Upwatch is ready at \S+ after/.test(web.logs()), PATIENCE_MS, 'The web process');
    await fetch(`${web.url}/api/health`);
    process.kill(web.pid, 'SIGTERM');
    expect(await web.exited).toBe(0);
    expect(linesOf(web).filter(({ msg }) => msg === 'Request')).toEqual([]);
  });

  it.each(['web', 'worker'] as const)('reject a %s on the embedded database, in one JSON line', async (part) => {
    const launched = await start(part, { DATABASE_URL: '' });
    expect(await launched.exited).toBe(1);
    expect(linesOf(launched).at(-1)).toMatchObject({
      level: 'fatal',
      msg: expect.stringMatching(/^Set DATABASE_URL to run a (web|worker) alone/),
    });
  });
});
