import { spawnSync } from 'node:child_process';
import { chown, rm } from 'node:fs/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { freePort } from '@/scripts/lib/ports.mjs';
import { isAlive } from '@/tests/support/processes';
import { type Launched, launchBy, newDataDir, untilReady } from '@/tests/support/product';

/** A user ID without a name, as containers have. */
const SOMEBODY = 54_321;
const AS_SOMEBODY = ['setpriv', `--reuid=${SOMEBODY}`, `--regid=${SOMEBODY}`, '--clear-groups', '--'];
const canChange = process.getuid?.() === 0 && spawnSync('setpriv', ['--version']).status === 0;

const PERSON = JSON.stringify({ email: 'robin@example.test', password: 'a long enough password' });

function post(url: string): Promise<Response> {
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: PERSON });
}

async function dataDir(owner: number): Promise<string> {
  const folder = await newDataDir();
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await chown(folder, owner, owner);
  return folder;
}

async function start(prefix: string[], DATA_DIR: string): Promise<Launched & { url: string }> {
  const PORT = String(await freePort());
  const launched = launchBy(prefix, { DATA_DIR, PORT });
  onTestFinished(async () => {
    if (isAlive(launched.pid)) process.kill(launched.pid, 'SIGTERM');
    await launched.exited;
  });
  return { ...launched, url: `http://127.0.0.1:${PORT}` };
}

async function startAndStop(prefix: string[], folder: string, path: string): Promise<number> {
  const started = await start(prefix, folder);
  await untilReady(started);
  const { status } = await post(started.url + path);
  process.kill(started.pid, 'SIGTERM');
  expect(await started.exited).toBe(0);
  return status;
}

// Skipped for users other than root, who cannot start processes of another.
describe.skipIf(!canChange)('a data directory that several users start on', () => {
  it('works for a user ID without a name, for root, and for the first user again', async () => {
    const folder = await dataDir(SOMEBODY);
    expect(await startAndStop(AS_SOMEBODY, folder, '/auth/signup')).toBe(201);
    expect(await startAndStop([], folder, '/auth/login')).toBe(200);
    expect(await startAndStop(AS_SOMEBODY, folder, '/auth/login')).toBe(200);
  });

  it('is rejected in one line where another user owns it, and continues to work for root', async () => {
    const folder = await dataDir(0);
    expect(await startAndStop([], folder, '/auth/signup')).toBe(201);
    await chown(folder, SOMEBODY, SOMEBODY);
    const rejected = await start(AS_SOMEBODY, folder);
    expect(await rejected.exited).toBe(1);
    expect(rejected.logs().trim().split('\n').at(-1)).toMatch(
      /belongs to user ID \d+, and this start runs as user ID 54321: .* run "chown -R 54321:54321 /,
    );
    expect(await startAndStop([], folder, '/auth/login')).toBe(200);
    // Root gave everything to the owner of the directory.
    expect(await startAndStop(AS_SOMEBODY, folder, '/auth/login')).toBe(200);
  });
});
