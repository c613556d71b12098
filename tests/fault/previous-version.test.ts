import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '@/prisma/migrate';
import { freePort } from '@/scripts/lib/ports.mjs';
import { extraDatabase } from '@/tests/support/database';
import { inNightly } from '@/tests/support/nightly';
import { checkOut, previousVersion } from '@/tests/support/previous-version';
import { isAlive } from '@/tests/support/processes';
import { type Launched, launch, launchCommand, newDataDir, untilReady } from '@/tests/support/product';
import { type HttpReceiver, startHttpReceiver, until } from '@/tests/support/receivers';

// A rolling upgrade: web and worker of the previous version run, this version migrates the database beneath them and starts beside them, and then they
// stop. Building the previous version takes some minutes, so this runs at night.

const found = inNightly(previousVersion, () => ({ why: 'it runs at night' }))();
const commit = 'commit' in found ? found.commit : null;
const BUILD_MS = 20 * 60_000;
const PATIENCE_MS = 60_000;
const APP_SECRET = 'one secret for both versions of this test';

describe.skipIf(commit === null)(`the previous version (${'why' in found ? `skipped: ${found.why}` : commit})`, () => {
  let database: Awaited<ReturnType<typeof extraDatabase>>;
  let checkout: Awaited<ReturnType<typeof checkOut>>;
  let previous: Launched & { url: string };
  let target: HttpReceiver;
  let receiver: HttpReceiver;
  const started: Launched[] = [];
  let token = '';

  async function settings() {
    const [PORT, DATA_DIR] = [String(await freePort()), await newDataDir()];
    const more = { DATABASE_URL: database.url, APP_SECRET, ALLOW_PRIVATE_TARGETS: 'true', RATE_LIMIT_PER_MINUTE: '0' };
    return { PORT, DATA_DIR, LOG_FORMAT: 'json', ...more };
  }

  async function call(url: string, method: string, path: string, body?: unknown) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return JSON.parse(text);
  }

  const createMonitor = async (url: string, name: string): Promise<string> => {
    const config = { url: `${target.url}/${name}`, confirm: { failures: 2, recoveries: 1, retryDelayMs: 1_000 } };
    return (await call(url, 'POST', '/api/v1/monitors', { type: 'http', name, config, intervalSeconds: 5 })).monitor.id;
  };

  /** Waits until all monitors have a status, as a web process reports it. */
  const untilAll = (url: string, status: string) =>
    until(
      async () => {
        const { monitors } = await call(url, 'GET', '/api/v1/monitors');
        return monitors.every((monitor: { status: string }) => monitor.status === status);
      },
      PATIENCE_MS,
      `Status ${status}`,
    );

  const events = () => receiver.requests.map(({ body }) => (JSON.parse(body) as { type: string }).type).sort();

  beforeAll(async () => {
    [target, receiver] = await Promise.all([startHttpReceiver(), startHttpReceiver()]);
    database = await extraDatabase({ migrated: false });
    checkout = await checkOut(commit ?? '');
    const env = await settings();
    const launched = launchCommand([process.execPath, join(checkout.folder, 'scripts/start.mjs')], env);
    started.push(launched);
    await untilReady(launched);
    previous = { ...launched, url: `http://127.0.0.1:${env.PORT}` };
  }, BUILD_MS);

  afterAll(async () => {
    for (const { pid, exited } of started) {
      if (isAlive(pid)) process.kill(pid, 'SIGTERM');
      await exited;
    }
    await checkout?.remove();
    await database?.drop();
    await Promise.all([target?.close(), receiver?.close()]);
  }, 120_000);

  it('goes on while this one migrates the database, and hands over to it', { timeout: 10 * 60_000 }, async () => {
    const { url } = previous;
    const account = { email: 'previous@example.test', password: 'a long enough password' };
    token = (await call(url, 'POST', '/auth/signup', account)).accessToken;
    const config = { url: `${receiver.url}/hook` };
    await call(url, 'POST', '/dashboard/notification-channels', { type: 'webhook', name: 'Receiver', config });
    token = (await call(url, 'POST', '/dashboard/api-keys', { name: 'test', scopes: ['read', 'write'] })).secret;
    const before = await createMonitor(url, 'before');
    await untilAll(url, 'up');

    await migrate(database.url);
    const after = await createMonitor(url, 'after');
    await call(url, 'PUT', `/api/v1/monitors/${before}`, { name: 'renamed' });
    await untilAll(url, 'up');
    target.respond(() => ({ status: 503 }));
    await untilAll(url, 'down');
    target.respond(() => ({ status: 200 }));
    await untilAll(url, 'up');
    await receiver.waitFor(4, PATIENCE_MS);
    for (const path of [
      'incidents',
      'channels',
      `monitors/${after}/checks`,
      `monitors/${after}/uptime?range=24h`,
      'overview',
      'report',
    ]) {
      await call(url, 'GET', `/api/v1/${path}`);
    }

    const env = await settings();
    const present = launch(env);
    started.push(present);
    await untilReady(present);
    const theirs = `http://127.0.0.1:${env.PORT}`;
    await untilAll(theirs, 'up');
    process.kill(previous.pid, 'SIGTERM');
    expect(await previous.exited).toBe(0);
    target.respond(() => ({ status: 503 }));
    await untilAll(theirs, 'down');
    await receiver.waitFor(6, PATIENCE_MS);
    expect(events()).toEqual([...Array(4).fill('incident.opened'), ...Array(2).fill('incident.resolved')]);
    const errors = previous
      .logs()
      .split('\n')
      .filter((line) => /"level":"(error|fatal)"/.test(line));
    expect(errors).toEqual([]);
  });
});
