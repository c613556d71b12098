// @ts-check
import { join } from 'node:path';
import { openDataDir } from './database/data-dir.mjs';
import { assertOwnData, assertUsable, openDatabase } from './database/database.mjs';
import { mendOwner } from './database/owner.mjs';
import { lock } from './lock.mjs';
import { untilLocked } from './lock-file.mjs';
import { say, sleep } from './notes.mjs';
import { whyNotListen } from './ports.mjs';
import { endCommands } from './processes/command.mjs';
import { complain, Refusal, step } from './steps.mjs';

/** A port of an earlier, killed start is free again after this time. */
const PORT_PATIENCE_MS = 4_000;

/** Twice the duration of a stop, because a deployment may start the next instance while the last one stops. */
const DATA_PATIENCE_MS = 30_000;

/** Longer than a stop, because creation and recovery of a server cannot be interrupted. */
const DATABASE_PATIENCE_MS = 8_000;

/** Everything started, in order; stopped in reverse order. */
/** @type {(() => Promise<void> | void)[]} */
const started = [];
let isStopping = false;

/**
 * Registers a function that stops something.
 * @param {() => Promise<void> | void} stop
 */
export function onStop(stop) {
  started.push(stop);
}

/** Stops everything in reverse order. */
export async function stopAll() {
  isStopping = true;
  await endCommands();
  for (const stop of started.splice(0).reverse()) await stop();
}

/**
 * Runs the main function of a command that starts the product. SIGTERM, SIGINT and SIGHUP (its terminal was closed) stop it in order with `stopped`
 * as the exit code; an error stops it with one line and exit code 1.
 * @param {() => Promise<void>} main
 * @param {number} [stopped]
 */
export async function runProduct(main, stopped = 0) {
  // Ignores errors of a closed terminal or pipe, so that everything is still stopped in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
    process.on(signal, () => {
      if (isStopping) return;
      stopAll().then(() => process.exit(stopped));
    });
  }
  try {
    await main();
  } catch (error) {
    // Errors caused by stopping are ignored.
    if (isStopping) return;
    complain(error);
    await stopAll();
    process.exit(1);
  }
}

/**
 * Claims the data directory and the port before slow steps. A single role may share its database, and possibly a data directory, with others.
 * @param {import('../../server/platform/env').Env} env
 * @param {import('./start.mjs').Role} [role]
 */
export async function claim(env, role = 'all') {
  const isAlone = role === 'web' || role === 'worker';
  if (isAlone && !env.databaseUrl) {
    throw new Refusal(
      `Set DATABASE_URL to run a ${role} alone: the embedded database is only available with npm start.`,
    );
  }
  openDataDir(env.dataDir);
  if (role === 'all' || !env.databaseUrl) await claimData(env.dataDir);
  if (role === 'all' || role === 'web') await claimPort(env);
  if (env.databaseUrl) await assertUsable(env.databaseUrl);
  else assertOwnData(env.dataDir);
}

/**
 * Waits until no other start uses a data directory, and makes its files usable by this user.
 * @param {string} dataDir
 */
async function claimData(dataDir) {
  const held = await untilLocked(join(dataDir, 'start.lock'), {
    patienceMs: DATA_PATIENCE_MS,
    onWait: () => say(`Waiting for another Upwatch to release ${dataDir}, for ${DATA_PATIENCE_MS / 1000} s at most`),
  });
  if (held) onStop(held.release);
  // Earlier versions take only the second lock, which works within a network namespace.
  if (!held || !(await lock(dataDir, 'start')))
    throw new Refusal(`Upwatch already runs on ${dataDir}: stop it first, or set DATA_DIR to another directory.`);
  mendOwner(dataDir);
  // Web and worker have created files since the start.
  onStop(() => mendOwner(dataDir));
}

/**
 * Holds a lock until the web process listens, which may take a minute.
 * @param {{ port: number, host: string }} address
 */
async function claimPort({ port, host }) {
  const isOurs = await lock('/', `${host}:${port}`);
  let reason = isOurs ? await whyNotListen(port, host) : 'EADDRINUSE';
  for (let waited = 0; isOurs && reason === 'EADDRINUSE' && waited < PORT_PATIENCE_MS; waited += 250) {
    await sleep(250);
    reason = await whyNotListen(port, host);
  }
  if (reason === 'EADDRINUSE')
    throw new Refusal(`Port ${port} of ${host} is in use: stop the other program, or set another PORT.`);
  if (reason) throw new Refusal(`Upwatch cannot listen on PORT ${port} of HOST ${host} (${reason}).`);
}

/**
 * Starts the embedded database if no other is configured.
 * @param {import('../../server/platform/env').Env} env
 * @returns {Promise<NodeJS.ProcessEnv & { DATABASE_URL: string }>} the environment of web and worker
 */
export async function startDatabase(env) {
  const childEnv = {
    ...process.env,
    NEXT_TELEMETRY_DISABLED: '1',
    // Silences a warning about the Node version of future releases; ours is pinned by package-lock.json.
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true',
    HOST: env.host,
    PORT: String(env.port),
    DATA_DIR: env.dataDir,
  };
  if (env.databaseUrl) return { ...childEnv, DATABASE_URL: env.databaseUrl };
  const opening = openDatabase(env.dataDir);
  onStop(() => Promise.race([closeDatabase(opening), sleep(DATABASE_PATIENCE_MS)]));
  const database = await step('Starting the database', () => opening);
  return { ...childEnv, DATABASE_URL: database.url };
}

/** @param {ReturnType<typeof openDatabase>} opening */
async function closeDatabase(opening) {
  const database = await opening.catch(() => null);
  await database?.stop();
}
