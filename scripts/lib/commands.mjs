// @ts-check
// What the commands of `upwatch` do. They return when they are done; a failure is thrown as a Refusal.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { BUILD, isRelease } from './build/stamps.mjs';
import { openDataDir } from './database/data-dir.mjs';
import { runningUrl } from './database/database.mjs';
import { createDemo, findDemo, removeDemo, serveTarget } from './demo.mjs';
import { lockFile } from './lock-file.mjs';
import { chooseFormat, keepStdout } from './notes.mjs';
import * as operations from './operate.mjs';
import { settings } from './prepare.mjs';
import { statusOf } from './processes/ready.mjs';
import { readStatus } from './processes/status.mjs';
import { claim, onStop, runProduct, startDatabase, stopAll } from './product.mjs';
import { start as startRole } from './start.mjs';
import { Refusal } from './steps.mjs';

/** @typedef {import('../../server/platform/env').Env} Env */
/** @typedef {{ json?: boolean, passphraseFile?: string }} Options */

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
  await joinRunning();
  const child = spawn(process.execPath, ['--no-warnings', `${BUILD}/admin.mjs`, ...args], { stdio: 'inherit' });
  process.exitCode = await new Promise((done) => child.once('exit', (code) => done(code ?? 1)));
}

/**
 * @param {string} file
 * @param {Options} [options]
 */
export function backup(file, { json, passphraseFile } = {}) {
  return operate(async () => {
    const env = await built();
    Object.assign(process.env, operatorEnv(env, await openInstance(env)));
    const made = await operations.backup(file, passphraseFile);
    const size = made.bytes === null ? '' : `, ${(made.bytes / 1e6).toFixed(1)} MB`;
    const text = `${file}: ${made.rows} rows of ${made.tables} tables, ${made.objects} objects${size}`;
    const note = made.hasSecret
      ? ''
      : '\nIt does not contain APP_SECRET: keep that as well, because a restore needs it.';
    print(json, made, `${text}${note}`, file === '-' ? process.stderr : process.stdout);
  });
}

/**
 * @param {string} file
 * @param {Options} [options]
 */
export function restore(file, { json, passphraseFile } = {}) {
  return operate(async () => {
    const env = await built();
    await claim(env, 'migrate');
    const { DATABASE_URL } = await startDatabase(env);
    Object.assign(process.env, operatorEnv(env, DATABASE_URL));
    const found = await operations.restore(file, passphraseFile);
    const text = `Restored ${found.rows} rows of ${found.tables} tables and ${found.objects} objects of ${found.createdAt}. Start Upwatch now.`;
    const missing =
      found.missing.length > 0
        ? `\nThe backed-up instance had settings that this one does not have: ${found.missing.join(', ')}.`
        : '';
    print(json, found, `${text}${missing}`);
  });
}

/** @param {Options} [options] */
export function doctor({ json } = {}) {
  return operate(async () => {
    const found = await diagnose();
    const lines = found.map(({ level, check, message, advice }) => {
      const line = `${level.padEnd(5)}  ${check}: ${message}`;
      return advice ? `${line}\n       ${advice}` : line;
    });
    print(json, found, lines.join('\n'));
    if (found.some(({ level }) => level === 'error')) process.exitCode = 1;
  });
}

/** @returns {Promise<import('../../server/operate/doctor/finding').Finding[]>} */
async function diagnose() {
  try {
    const env = await built();
    const url = env.databaseUrl ?? runningUrl(env.dataDir);
    Object.assign(process.env, operatorEnv(env, url));
    return await operations.examine(await readStatus(env.dataDir));
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return [{ level: 'error', check: 'Settings', message: error.message, advice: 'Correct this, and run it again.' }];
  }
}

/** @param {Options & { remove?: boolean, port?: string }} [options] */
export function demo({ json, remove, port = '3999' } = {}) {
  keepStdout();
  return runProduct(async () => {
    const env = await joinRunning();
    const { dataDir } = env;
    if (remove) {
      const { teamName } = await removeDemo(dataDir);
      return print(json, { removed: teamName }, `${teamName} and its account are removed.`);
    }
    if (!env.allowPrivateTargets)
      throw new Refusal('The target of the demo is on this machine: start Upwatch with ALLOW_PRIVATE_TARGETS=true.');
    openDataDir(dataDir);
    const found = findDemo(dataDir);
    const target = await serveTarget(found?.port ?? Number(port));
    onStop(target.stop);
    const url = (await readStatus(dataDir))?.url ?? env.appUrl;
    const { email, password, teamName, pingUrl } = found ?? (await createDemo({ url, dataDir, port: Number(port) }));
    target.ping(pingUrl ?? '');
    const text = `Sign in at ${env.appUrl} as ${email} with the password ${password}.\nThe target runs until you stop this command (Ctrl-C); upwatch demo --remove deletes the team and its account.`;
    print(json, { url: env.appUrl, email, password, teamName }, text);
  });
}

/**
 * Runs an operator command, whose standard output is its result alone. If a signal stops it, it exits with the code of a command that Ctrl-C has
 * ended.
 * @param {() => Promise<void>} work
 */
function operate(work) {
  keepStdout();
  return runProduct(async () => {
    await work();
    await stopAll();
  }, 130);
}

/** Reads the settings. Throws if the product is not built. */
async function built() {
  if (!isRelease() && !existsSync(`${BUILD}/operate.mjs`)) {
    throw new Refusal('Upwatch is not built yet: run npm start, or npm run build.');
  }
  return settings();
}

/**
 * Returns the database of an instance: the one of a running Upwatch, or the embedded one, started for as long as the command takes.
 * @param {Env} env
 */
async function openInstance(env) {
  if (env.databaseUrl) return env.databaseUrl;
  if (!existsSync(join(env.dataDir, 'postgres')))
    throw new Refusal(`There is no instance in DATA_DIR, ${env.dataDir}.`);
  openDataDir(env.dataDir);
  const held = lockFile(join(env.dataDir, 'start.lock'));
  if (held) {
    onStop(held.release);
    return (await startDatabase(env)).DATABASE_URL;
  }
  const url = runningUrl(env.dataDir);
  if (!url) throw new Refusal(`The database in ${env.dataDir} is not running yet: try again.`);
  return url;
}

/** Sets the environment to the database of a running instance, and returns the settings. */
async function joinRunning() {
  const env = await built();
  const url = env.databaseUrl ?? runningUrl(env.dataDir);
  if (!url) {
    throw new Refusal(
      `Upwatch does not run on ${env.dataDir}: start it first, or set the same DATA_DIR or DATABASE_URL.`,
    );
  }
  Object.assign(process.env, operatorEnv(env, url));
  return env;
}

/**
 * Returns the environment of an operator command.
 * @param {Env} env
 * @param {string | null} url of the database
 */
function operatorEnv(env, url) {
  const kept = join(env.dataDir, 'app-secret');
  const secret = env.appSecret ?? (existsSync(kept) ? readFileSync(kept, 'utf8').trim() : undefined);
  return {
    ...(url && { DATABASE_URL: url }),
    ...(secret && { APP_SECRET: secret }),
    NODE_ENV: 'production',
    LOG_LEVEL: 'fatal',
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
  };
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
