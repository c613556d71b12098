// @ts-check
import { readFileSync, writeFileSync } from 'node:fs';
import { apart } from '../processes/apart.mjs';
import { quietly } from '../processes/command.mjs';
import { bundleOptions } from './bundle.mjs';
import { fingerprint } from './fingerprint.mjs';
import { BUILD, DIST, DOCUMENT, once, RELEASE, VERSION } from './stamps.mjs';

const SCHEMA = 'prisma/schema';
const TOOLS = ['package-lock.json', 'tsconfig.json'];
const WORKER = { worker: 'server/worker/main.ts' };
const BUNDLES = {
  ...WORKER,
  admin: 'server/admin/command.ts',
  agent: 'server/agent/main.ts',
  assistant: 'cli/mcp.ts',
  configuration: 'cli/main.ts',
  migrate: 'prisma/migrate.ts',
  operate: 'server/operate/main.ts',
  preflight: 'server/platform/database/preflight.ts',
  threads: 'app/threads.ts',
  web: 'app/web.ts',
};

/** @param {string[]} args */
const node = (...args) => /** @type {const} */ ([process.execPath, args]);

/**
 * Generates the Prisma client if the schema has changed.
 * @returns {Promise<boolean>} whether it did
 */
export function generate() {
  return once(
    'generated',
    fingerprint([SCHEMA, 'prisma.config.ts', 'package-lock.json']),
    ['server/platform/generated/prisma/client.ts'],
    () =>
      quietly('Generating the database client', ...node('node_modules/prisma/build/index.js', 'generate'), {
        ...process.env,
        // Otherwise the command line downloads an engine, which generating does not use: any file will do.
        PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
        PRISMA_HIDE_UPDATE_MESSAGE: '1',
        CHECKPOINT_DISABLE: '1',
      }),
  );
}

/** Bundles the code that validates the environment and queries the database, so that errors in these are reported before slow steps. */
export function buildEnv() {
  const entries = { env: 'server/platform/env.ts', 'database-client': 'server/platform/database/database-client.ts' };
  const print = fingerprint(['server/platform', ...TOOLS], Object.keys(entries));
  const outputs = Object.keys(entries).map((name) => `${BUILD}/${name}.mjs`);
  return once('env', print, outputs, () => apart('build/bundle.mjs', 'bundle', entries));
}

/** @returns {string} */
function productVersion() {
  return JSON.parse(readFileSync('package.json', 'utf8')).version;
}

/** Bundles the worker, the threads, the migrations and the public status pages, and makes the OpenAPI document, if their sources have changed. */
export function buildBundles() {
  const print = fingerprint(
    ['app', 'cli', 'server', 'prisma', 'scripts/lib/build/build.mjs', 'scripts/lib/build/bundle.mjs', ...TOOLS],
    [productVersion()],
  );
  return once(
    'bundles',
    print,
    [
      ...Object.keys(BUNDLES).map((name) => `${BUILD}/${name}.mjs`),
      `${BUILD}/status/main.js`,
      `${BUILD}/status/status.css`,
      DOCUMENT,
      VERSION,
    ],
    async () => {
      await Promise.all([
        apart('build/bundle.mjs', 'bundle', BUNDLES),
        apart('build/bundle.mjs', 'bundleForBrowsers'),
        apart('build/bundle.mjs', 'writeDocument'),
      ]);
      writeFileSync(VERSION, `${productVersion()}+${print.slice(0, 8)}\n`);
    },
  );
}

/** Builds the web application if its sources have changed. */
export function buildWeb() {
  const sources = [
    'app',
    'server',
    'public',
    SCHEMA,
    'instrumentation.ts',
    'proxy.ts',
    'next.config.mjs',
    'postcss.config.mjs',
    ...TOOLS,
  ];
  return once('web', fingerprint(sources), ['.next/BUILD_ID'], () =>
    quietly('Building the web application', ...node('node_modules/next/dist/bin/next', 'build'), {
      ...process.env,
      NODE_ENV: 'production',
      NEXT_TELEMETRY_DISABLED: '1',
    }),
  );
}

/**
 * Makes the release folder from what was built, if that has changed.
 * @returns {Promise<boolean>} whether it did
 */
export function buildRelease() {
  const stamps = ['bundles', 'web'].map((name) => `${BUILD}/${name}.stamp`);
  const print = fingerprint([...stamps, 'scripts', 'public', 'next.config.mjs', 'LICENSE', 'package.json', ...TOOLS]);
  return once('release', print, [`${DIST}/${RELEASE}`], () => apart('build/release.mjs', 'release'));
}

/**
 * Bundles the worker now and on every change of its sources.
 * @param {(file: string | null) => void} onBuilt called with its path, or null if the build failed
 * @returns {Promise<() => Promise<void>>} stops watching
 */
export async function watchWorker(onBuilt) {
  const { context } = await import('esbuild');
  const outdir = `${BUILD}/dev`;
  const told = {
    name: 'told',
    setup: (/** @type {import('esbuild').PluginBuild} */ build) =>
      build.onEnd(({ errors }) => onBuilt(errors.length === 0 ? `${outdir}/worker.mjs` : null)),
  };
  const watching = await context({ ...bundleOptions(WORKER), outdir, logLevel: 'warning', plugins: [told] });
  await watching.watch();
  return () => watching.dispose();
}
