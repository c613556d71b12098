// @ts-check
import { fork, spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { openDatabase } from '../../lib/database/database.mjs';
import { freePort } from '../../lib/ports.mjs';
import { alone, bundles, migrations } from '../../lib/prepare.mjs';

/** @typedef {import('node:child_process').ChildProcess} Child */

/** @param {Child} child */
export async function ended(child) {
  if (child.exitCode === null && child.signalCode === null) await new Promise((resolve) => child.once('exit', resolve));
}

/**
 * Starts a helper process from a file in this folder.
 * @param {string} file
 * @param {string[]} [args]
 */
export function helper(file, args = []) {
  const execArgv = file.endsWith('.ts') ? ['--import', 'tsx'] : [];
  return fork(fileURLToPath(new URL(file, import.meta.url)), args, { execArgv });
}

/**
 * Waits for the next message of a helper.
 * @param {Child} child
 * @returns {Promise<any>}
 */
export function answerOf(child) {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new Error('A part of the bench ended.'));
    child.once('exit', fail);
    child.once('message', (message) => {
      child.off('exit', fail);
      resolve(message);
    });
  });
}

/**
 * Returns the environment that worker and web process share.
 * @param {string} databaseUrl
 * @param {Record<string, string>} settings
 * @returns {NodeJS.ProcessEnv}
 */
const environment = (databaseUrl, settings) => ({
  ...process.env,
  NODE_ENV: 'production',
  DATABASE_URL: databaseUrl,
  APP_SECRET: 'a secret of the bench alone',
  ALLOW_PRIVATE_TARGETS: 'true',
  LOG_LEVEL: 'warn',
  ...settings,
});

/**
 * Starts the worker as `npm start` does, without its supervisor. Its egress check uses the target.
 * @param {{ databaseUrl: string, targetUrl: string }} stand
 * @param {Record<string, string>} [settings] more of the environment
 * @returns {Child}
 */
export function startWorker({ databaseUrl, targetUrl }, settings = {}) {
  const flags = (process.env.BENCH_WORKER_FLAGS ?? '').split(' ').filter(Boolean);
  const own = { UV_THREADPOOL_SIZE: '64', EGRESS_CANARIES: new URL(targetUrl).host, ...settings };
  return spawn(process.execPath, ['--enable-source-maps', ...flags, '.build/worker.mjs'], {
    env: environment(databaseUrl, own),
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

/**
 * Starts the built web process as `npm start` does, without its supervisor and without rate limits. Resolves when it serves.
 * @param {{ databaseUrl: string }} stand
 * @returns {Promise<{ child: Child, url: string }>}
 */
export async function startWeb({ databaseUrl }) {
  const port = String(await freePort());
  const limits = { RATE_LIMIT_PER_MINUTE: '0', AUTH_RATE_LIMIT_PER_MINUTE: '0', PAGE_RATE_LIMIT_PER_MINUTE: '0' };
  const off = { ...limits, LOG_LEVEL: 'fatal' };
  const child = spawn(process.execPath, ['scripts/web.mjs'], {
    env: environment(databaseUrl, { PORT: port, ...off }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await answerOf(child);
  return { child, url: `http://127.0.0.1:${port}` };
}

/** Starts the embedded database with the current schema, and a target: everything that a worker needs, and no other load. */
export async function openStand() {
  await alone(bundles);
  const dataDir = mkdtempSync(join(tmpdir(), 'upwatch-bench-'));
  chmodSync(dataDir, 0o755);
  const database = await openDatabase(dataDir);
  await migrations(database.url);
  const postmaster = Number(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8').split('\n')[0]);
  const target = helper('target.mjs');
  const { url: targetUrl } = await answerOf(target);
  const client = new pg.Client(database.url);
  await client.connect();
  return {
    databaseUrl: database.url,
    postmaster,
    client,
    target,
    targetUrl: /** @type {string} */ (targetUrl),
    async stop() {
      await client.end();
      target.kill();
      await database.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof openStand>>} Stand */
