import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, vi } from 'vitest';
import { hasOwnModules } from './own-modules';

// The environment of every test file, set before it imports server code. Where files share a process, they share the loaded modules of the server,
// which read the environment once: what is set here is the same for all of them.

const shared = globalThis as typeof globalThis & { upwatchTests?: { variables: NodeJS.ProcessEnv; isReset: boolean } };
shared.upwatchTests ??= { variables: { ...process.env }, isReset: false };
const { variables, isReset } = shared.upwatchTests;
// It gets modules of its own, and so does the next file.
shared.upwatchTests.isReset = hasOwnModules(expect.getState().testPath ?? '');
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
  // Tests make thousands of calls. Those of a limit set it, or import tests/support/default-limits.
  RATE_LIMIT_PER_MINUTE: '0',
  AUTH_RATE_LIMIT_PER_MINUTE: '0',
  PAGE_RATE_LIMIT_PER_MINUTE: '0',
  MAIL_PER_TEAM_PER_DAY: '0',
  MAIL_PER_ADDRESS_PER_DAY: '0',
  LOG_LEVEL: process.env.LOG_LEVEL ?? 'fatal',
});

afterAll(remove);
