import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { lockFile, untilLocked } from '@/scripts/lib/lock-file.mjs';

function file(): string {
  const folder = mkdtempSync(join(tmpdir(), 'upwatch-lock-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, 'start.lock');
}

test('allows one holder, and another after release, which deletes the file', () => {
  const path = file();
  const held = lockFile(path);
  expect(held).not.toBeNull();
  expect(lockFile(path)).toBeNull();
  held?.release();
  expect(existsSync(path)).toBe(false);
  lockFile(path)?.release();
});

test('is held by a child that was given the file, until that is killed', async () => {
  const path = file();
  const held = lockFile(path);
  const child = spawn('sleep', ['600'], { stdio: ['ignore', 'ignore', 'ignore', held?.fd ?? 0] });
  await once(child, 'spawn');
  closeSync(held?.fd ?? 0);
  expect(lockFile(path)).toBeNull();
  child.kill('SIGKILL');
  await once(child, 'exit');
  const next = lockFile(path);
  expect(next).not.toBeNull();
  next?.release();
});

test('calls onWait once while it waits, and resolves with null when the patience is over', async () => {
  const path = file();
  const held = lockFile(path);
  let waits = 0;
  expect(await untilLocked(path, { patienceMs: 1_200, onWait: () => (waits += 1) })).toBeNull();
  expect(waits).toBe(1);
  held?.release();
});
