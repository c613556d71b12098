// @ts-check
// What the commands of `upwatch` do. They return when they are done; a failure is thrown as a Refusal.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BUILD, isRelease } from './build/stamps.mjs';
import { runningUrl } from './database/database.mjs';
import { chooseFormat } from './notes.mjs';
import { settings } from './prepare.mjs';
import { statusOf } from './processes/ready.mjs';
import { readStatus } from './processes/status.mjs';
import { runProduct } from './product.mjs';
import { start as startRole } from './start.mjs';
import { Refusal } from './steps.mjs';

/** @typedef {import('../../server/platform/env').Env} Env */
/** @typedef {{ json?: boolean }} Options */

/** @param {{ role: import('./start.mjs').Role }} options */
export function start({ role }) {
  chooseFormat(process.env.LOG_FORMAT);
  return runProduct(() => startRole(role));
}

/**
 * Reports whether the start on this data directory serves. Reads no other setting, because containers run it every few seconds.
 * @param {Options} options
 */
export async function health({ json }) {
  const status = await readStatus(resolve(process.env.DATA_DIR || '.data'));
  const isAnswering =
    status?.url === undefined ||
    (await statusOf(`${status.url}/api/health`).then(
      (code) => code === 200,
      () => false,
    ));
  const isServing = status !== null && status.web !== false && status.worker !== false && isAnswering;
  print(json, { serving: isServing, ...status }, isServing ? `Serving (${status.role})` : 'Not serving');
  process.exitCode = isServing ? 0 : 1;
}

/** @param {string[]} args */
export async function admin(args) {
  const env = await built();
  const url = env.databaseUrl ?? runningUrl(env.dataDir);
  if (!url) {
    throw new Refusal(
      `Upwatch does not run on ${env.dataDir}: start it first, or set the same DATA_DIR or DATABASE_URL.`,
    );
  }
  const child = spawn(process.execPath, ['--no-warnings', `${BUILD}/admin.mjs`, ...args], {
    env: { ...process.env, ...operatorEnv(env, url) },
    stdio: 'inherit',
  });
  process.exitCode = await new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

/** The settings of a product that was built. */
async function built() {
  if (!isRelease() && !existsSync(`${BUILD}/admin.mjs`)) {
    throw new Refusal('Upwatch is not built yet: run npm start, or npm run build.');
  }
  return settings();
}

/**
 * The environment of an operator command.
 * @param {Env} env
 * @param {string} url of the database
 */
function operatorEnv(env, url) {
  const kept = join(env.dataDir, 'app-secret');
  const secret = env.appSecret ?? (existsSync(kept) ? readFileSync(kept, 'utf8').trim() : undefined);
  return { DATABASE_URL: url, ...(secret && { APP_SECRET: secret }), NODE_ENV: 'production', LOG_LEVEL: 'fatal' };
}

/**
 * @param {boolean | undefined} json
 * @param {unknown} result
 * @param {string} text
 * @param {NodeJS.WritableStream} [output]
 */
function print(json, result, text, output = process.stdout) {
  output.write(`${json ? JSON.stringify(result) : text}\n`);
}
