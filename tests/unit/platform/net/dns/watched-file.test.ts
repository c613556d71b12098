import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { WatchedFile } from '@/server/platform/net/dns/watched-file';

let folder: string;
let path: string;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
  folder = mkdtempSync(join(tmpdir(), 'upwatch-watched-'));
  path = join(folder, 'file');
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true });
});

const watched = () => new WatchedFile(path, (text) => ({ text }));

it('reads the file again within 1 s of a change, and not otherwise', () => {
  writeFileSync(path, 'one');
  const file = watched();
  const first = file.read();
  expect(first.text).toBe('one');
  writeFileSync(path, 'another');
  expect(file.read()).toBe(first);
  vi.advanceTimersByTime(1_000);
  const second = file.read();
  expect(second.text).toBe('another');
  vi.advanceTimersByTime(1_000);
  expect(file.read()).toBe(second);
});

it('returns nothing while the file is missing', () => {
  const file = watched();
  expect(file.read().text).toBe('');
  writeFileSync(path, 'there');
  vi.advanceTimersByTime(1_000);
  expect(file.read().text).toBe('there');
  rmSync(path);
  vi.advanceTimersByTime(1_000);
  expect(file.read().text).toBe('');
});

it('returns the last content while the file cannot be read', () => {
  writeFileSync(path, 'one');
  const file = new WatchedFile(path, (text) => {
    if (text === 'broken') throw new Error('cannot be read');
    return { text };
  });
  expect(file.read().text).toBe('one');
  writeFileSync(path, 'broken');
  vi.advanceTimersByTime(1_000);
  expect(file.read().text).toBe('one');
});
