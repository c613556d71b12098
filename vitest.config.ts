import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { defineConfig } from 'vitest/config';
import { mutate } from './tests/mutations/mutate.mjs';
import { LongestFirst } from './tests/support/longest-first.ts';
import { filesOf } from './tests/support/own-modules.ts';

// Read by Node when a test process starts: certificates of tests/support/certificates.ts are trusted there.
process.env.NODE_EXTRA_CA_CERTS = resolve('tests/support/authority.pem');

// Where files are not isolated, it decides which of them share loaded modules: importing takes longer than most tests.
const environment = 'tests/support/setup.ts';
const preparedData = 'tests/support/prepare-data.ts';
const database = {
  globalSetup: 'tests/support/global-setup.ts',
  setupFiles: [environment, 'tests/support/database-setup.ts'],
};

/** Tests wait for a third of their time: for due times, retries, locks and restarts. */
const waiting = Math.max(3, Math.ceil(1.5 * availableParallelism()));

/** Importing the server takes most of the CPU of a file, so files share the loaded modules where they can. */
const integration = filesOf('tests/integration');

export default defineConfig({
  plugins: mutate(),
  resolve: {
    alias: {
      '@': resolve('.'),
      // Outside of a React server bundle the package's own entry only throws.
      'server-only': resolve('node_modules/server-only/empty.js'),
    },
  },
  test: {
    pool: 'forks',
    maxWorkers: waiting,
    sequence: { sequencer: LongestFirst },
    // Kept in node_modules between suites and runs; a mutation changes what a module is.
    experimental: { fsModuleCache: process.env.MUTATION === undefined },
    restoreMocks: true,
    unstubEnvs: true,
    // A machine that stalls for a moment is no failure of the product; a test that needed it is marked in the output.
    retry: process.env.CI ? 2 : 0,
    testTimeout: 15_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['tests/unit/**/*.test.{ts,tsx}'],
          isolate: false,
          setupFiles: [environment],
        },
      },
      {
        extends: true,
        test: {
          name: 'integration',
          include: integration.shared,
          isolate: false,
          ...database,
        },
      },
      {
        extends: true,
        test: { name: 'integration-apart', include: integration.apart, ...database },
      },
      {
        extends: true,
        test: { name: 'contract', include: ['tests/contract/**/*.test.ts'], testTimeout: 60_000, ...database },
      },
      {
        extends: true,
        test: {
          name: 'hostile',
          include: ['tests/hostile/**/*.test.ts'],
          // Each measures how late checks are: beside another test, they would be.
          fileParallelism: false,
          globalSetup: [database.globalSetup, preparedData],
          setupFiles: [environment, 'tests/hostile/setup.ts', 'tests/support/database-setup.ts'],
        },
      },
      {
        extends: true,
        test: {
          name: 'fault',
          include: ['tests/fault/**/*.test.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          ...database,
          globalSetup: [database.globalSetup, preparedData],
        },
      },
    ],
  },
});
