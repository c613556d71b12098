import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { fingerprint } from '@/scripts/lib/build/fingerprint.mjs';
import { once } from '@/scripts/lib/build/stamps.mjs';

let root: string;

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'upwatch-stamps-'));
  mkdirSync(join(root, 'sources'));
  writeFileSync(join(root, 'sources/a.ts'), 'a');
});

afterEach(() => rmSync(root, { recursive: true }));

const print = () => fingerprint([join(root, 'sources')]);
const product = () => join(root, 'product');
const build = () => writeFileSync(product(), 'built');
const folder = () => join(root, '.build');

test('runs work once, and again when a source is changed, added or renamed or the output is gone', async () => {
  const isDone = () => once('work', print(), [product()], async () => build(), folder());
  expect([await isDone(), await isDone()]).toEqual([true, false]);
  writeFileSync(join(root, 'sources/a.ts'), 'b');
  expect([await isDone(), await isDone()]).toEqual([true, false]);
  writeFileSync(join(root, 'sources/b.ts'), '');
  expect([await isDone(), await isDone()]).toEqual([true, false]);
  rmSync(product());
  expect([await isDone(), await isDone()]).toEqual([true, false]);
});

test('does not treat failed or interrupted work as done, even if its output exists or it was done before', async () => {
  await once('work', 'first', [product()], async () => build(), folder());
  const failing = once('work', 'second', [product()], () => Promise.reject(new Error('cut short')), folder());
  await expect(failing).rejects.toThrow('cut short');
  expect(await once('work', 'first', [product()], async () => build(), folder())).toBe(true);
});

test('ignores files that tools write among the sources', () => {
  const before = print();
  mkdirSync(join(root, 'sources/generated'));
  writeFileSync(join(root, 'sources/generated/client.ts'), '');
  expect(print()).toBe(before);
});
