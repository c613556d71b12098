import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

// The environment of every test file, set before it imports server code.
const dataDir = mkdtempSync(join(tmpdir(), 'upwatch-test-'));

Object.assign(process.env, {
  APP_SECRET: 'a secret for tests only, of sixty-four characters or thereabouts',
  ALLOW_PRIVATE_TARGETS: 'true',
  DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
});

afterAll(() => rmSync(dataDir, { recursive: true, force: true }));
