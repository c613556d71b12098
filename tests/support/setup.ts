import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';

// The environment of every test file, set before it imports server code. Where files share a process, they share the loaded modules of the server,
// which read the environment once: what is set here is the same for all of them.

/** A test file that sets variables, or loads or replaces modules itself, gets modules of its own, and so does the next file. */
const HAS_OWN_MODULES =
  /process\.env|rate-limits-off|with-(providers|stripe)|vi\.(hoisted|mock|resetModules|stubEnv)\b/;

const shared = globalThis as typeof globalThis & { upwatchTests?: { variables: NodeJS.ProcessEnv; isReset: boolean } };
shared.upwatchTests ??= { variables: { ...process.env }, isReset: false };
const { variables, isReset } = shared.upwatchTests;
shared.upwatchTests.isReset = HAS_OWN_MODULES.test(readFileSync(expect.getState().testPath ?? '', 'utf8'));
vi.useRealTimers();
if (isReset || shared.upwatchTests.isReset) vi.resetModules();
for (const name of Object.keys(process.env)) if (!(name in variables)) delete process.env[name];

const dataDir = join(tmpdir(), `upwatch-test-${process.pid}`);
const remove = () => rmSync(dataDir, { recursive: true, force: true });
remove();
mkdirSync(dataDir, { mode: 0o700 });

Object.assign(process.env, variables, {
  APP_SECRET: 'a secret for tests only, of sixty-four characters or thereabouts',
  ALLOW_PRIVATE_TARGETS: 'true',
  DATA_DIR: dataDir,
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
});

afterAll(remove);
