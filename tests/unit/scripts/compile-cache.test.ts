import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { compileCache } from '@/scripts/lib/processes/compile-cache.mjs';

const NONE: NodeJS.ProcessEnv = { NODE_ENV: 'production' };

let dataDir: string;

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'upwatch-cache-'));
});

afterEach(() => rmSync(dataDir, { recursive: true, force: true }));

it('keeps compiled code for the next start of the same build, and deletes it with the build', () => {
  const folder = join(dataDir, 'compile-cache');
  const compiled = join(folder, 'compiled');
  const start = (build: string | null) => compileCache(dataDir, { build, env: NONE });
  expect(start('one')).toEqual({ NODE_COMPILE_CACHE: folder });
  writeFileSync(compiled, 'code');
  expect(start('one')).toEqual({ NODE_COMPILE_CACHE: folder });
  expect(existsSync(compiled)).toBe(true);
  expect(start('two')).toEqual({ NODE_COMPILE_CACHE: folder });
  expect(existsSync(compiled)).toBe(false);
});

it('leaves the cache to the operator who sets one or turns it off, and does without a place to write to', () => {
  const start = (env: Partial<NodeJS.ProcessEnv>, folder = dataDir) =>
    compileCache(folder, { build: 'one', env: { ...NONE, ...env } });
  expect(start({ NODE_COMPILE_CACHE: '/elsewhere' })).toEqual({});
  expect(start({ NODE_DISABLE_COMPILE_CACHE: '1' })).toEqual({});
  expect(start({}, join(dataDir, 'missing', 'folder'))).toEqual({});
});
