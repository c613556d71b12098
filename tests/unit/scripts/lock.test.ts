import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lock } from '@/scripts/lib/lock.mjs';

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'upwatch-lock-'));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test('allows one holder per folder and purpose, and another after release', async () => {
  const [here, there] = [folder(), folder()];
  const release = await lock(here, 'start');
  expect(release).not.toBeNull();
  expect(await lock(here, 'start')).toBeNull();
  (await lock(here, 'prepare'))?.();
  (await lock(there, 'start'))?.();
  release?.();
  const again = await lock(here, 'start');
  expect(again).not.toBeNull();
  again?.();
});

test('is released when its holder is killed', async () => {
  const path = folder();
  const code = `
    const { lock } = await import(${JSON.stringify(resolve('scripts/lib/lock.mjs'))});
    await lock(${JSON.stringify(path)}, 'start');
    console.log('held');
    setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(holder.stdout, 'data');
  expect(await lock(path, 'start')).toBeNull();
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  const release = await lock(path, 'start');
  expect(release).not.toBeNull();
  release?.();
});
