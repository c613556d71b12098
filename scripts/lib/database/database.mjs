// @ts-check
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { note, sleep } from '../notes.mjs';
import { freePort } from '../ports.mjs';
import { apart } from '../processes/apart.mjs';
import { oneLine, Refusal } from '../steps.mjs';
import { keptSecret } from './data-dir.mjs';
import { dataVersion, startPostgres, urlOf } from './postgres.mjs';
import { MAJOR } from './postgres-binaries.mjs';
import { stalePid, takeOver } from './postgres-earlier.mjs';

const NAME = 'upwatch';
const PASSWORD = 'postgres-password';
/** How long the server outlives a killed start script, because web and worker end first. */
const GRACE_SECONDS = 5;
const LEFTOVERS_END_WITHIN_MS = 10_000;

/**
 * Rejects a data directory that this PostgreSQL cannot open, before anything is changed.
 * @param {string} dataDir
 */
export function assertOwnData(dataDir) {
  const directory = join(dataDir, 'postgres');
  const version = dataVersion(directory);
  if (version !== null && version !== MAJOR) {
    throw new Refusal(
      `${directory} holds the data of PostgreSQL ${version}, and Upwatch includes PostgreSQL ${MAJOR}: migrate the data with pg_dump, or set DATA_DIR to another directory.`,
    );
  }
  if (version !== null && !existsSync(join(dataDir, PASSWORD))) {
    throw new Refusal(
      `${join(dataDir, PASSWORD)} is missing, and the database in ${directory} cannot be opened without it: restore the file.`,
    );
  }
}

/**
 * Rejects a database that is unreachable, too old or read-only.
 * @param {string} url
 */
export async function assertUsable(url) {
  await apart('database/ask-database.mjs', 'assertUsable', url);
}

/**
 * Starts the embedded server with its data under `dataDir`, and restarts it whenever it ends.
 * @param {string} dataDir
 * @returns {Promise<{ url: string, stop: () => Promise<void> }>}
 */
export async function openDatabase(dataDir) {
  const directory = join(dataDir, 'postgres');
  const password = keptSecret(dataDir, PASSWORD);
  const held = await takeOver(directory);
  const options = { directory, password, port: await freePort(), graceSeconds: GRACE_SECONDS, lockFd: held.fd };
  let server = await startFirst({ ...options, stalePid: stalePid(directory) }).catch((error) => {
    held.release();
    throw error;
  });
  let isStopping = false;

  async function keep() {
    while (!isStopping) {
      const reason = await server.exited;
      if (!isStopping) note('error', `The database ended (${reason}), starting it again`);
      for (let wait = 100; !isStopping; wait = Math.min(wait * 2, 5_000)) {
        try {
          server = await startPostgres(options);
          if (isStopping) await server.stop();
          else note('info', 'The database is back');
          break;
        } catch (error) {
          note('error', `${oneLine(error)}; trying again in ${wait} ms`);
          await sleep(wait);
        }
      }
    }
  }

  const kept = keep();
  const stop = async () => {
    isStopping = true;
    await server.stop();
    await kept;
    held.release();
  };
  try {
    await apart('database/ask-database.mjs', 'ensureDatabase', server.url, NAME);
  } catch (error) {
    await stop();
    if (!hasWrongPassword(error)) throw error;
    throw new Refusal(
      `${join(dataDir, PASSWORD)} is not the password of the database in ${directory}: restore the previous file.`,
    );
  }
  return { url: urlOf(options, NAME), stop };
}

/**
 * Returns the URL of the embedded database of a running Upwatch; null if none runs on this data directory.
 * @param {string} dataDir
 */
export function runningUrl(dataDir) {
  const pidFile = join(dataDir, 'postgres/postmaster.pid');
  const password = join(dataDir, PASSWORD);
  if (!existsSync(pidFile) || !existsSync(password)) return null;
  const port = Number(readFileSync(pidFile, 'utf8').split('\n')[3]);
  return port > 0 ? urlOf({ port, password: readFileSync(password, 'utf8').trim() }, NAME) : null;
}

/**
 * Starts the server. Retries while processes of a server that was just killed still hold its shared memory.
 * @param {import('./postgres.mjs').PostgresOptions} options
 */
async function startFirst(options) {
  for (const deadline = Date.now() + LEFTOVERS_END_WITHIN_MS; ; await sleep(250)) {
    try {
      return await startPostgres(options);
    } catch (error) {
      if (!/still in use|already exists/.test(oneLine(error)) || Date.now() > deadline) throw error;
    }
  }
}

/** @param {unknown} error */
function hasWrongPassword(error) {
  return error instanceof Error && 'code' in error && error.code === '28P01';
}
