// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { untilLocked } from '../lock-file.mjs';
import { say, sleep } from '../notes.mjs';
import { Refusal } from '../steps.mjs';

const PATIENCE_MS = 30_000;
/** A server that a running Upwatch uses writes every 2 s, because web processes report that they receive pings. */
const QUIET_MS = 5_000;

/**
 * Waits until no server runs on this data, and takes the lock that a server and its processes hold, so that two never run. Ends a server that a
 * killed start left running on this machine; a server in another container ends with its container. The caller holds the lock of the start, so nobody
 * uses the server.
 * @param {string} directory
 * @returns {Promise<import('../lock-file.mjs').FileLock>}
 */
export async function takeOver(directory) {
  const path = `${directory}.lock`;
  const isKnown = existsSync(path);
  await endEarlier(directory);
  const onWait = () => say(`Waiting for the database server of an earlier start on ${directory} to end`);
  const held = await untilLocked(path, { patienceMs: PATIENCE_MS, onWait });
  if (!held || !(isKnown || (await isQuiet(directory)))) {
    held?.release();
    throw new Refusal(`Another database server runs on ${directory}: stop the Upwatch that started it.`);
  }
  return held;
}

/**
 * Whether no process writes to the data. A server of an earlier version holds no lock and may run in another container.
 * @param {string} directory
 */
async function isQuiet(directory) {
  if (pidOf(directory) === null) return true;
  say(`Making sure that no other server runs on ${directory}`);
  const log = join(directory, 'pg_wal');
  const changed = () => Math.max(0, ...readdirSync(log).map((name) => statSync(join(log, name)).mtimeMs));
  const before = changed();
  await sleep(QUIET_MS);
  return changed() === before;
}

/**
 * Returns the process ID in postmaster.pid if the process is known not to be a server. PostgreSQL treats any process with that ID, even a zombie, as
 * its server. It finds remaining processes of the server by their shared memory, which does not depend on the ID.
 * @param {string} directory
 */
export function stalePid(directory) {
  const pid = pidOf(directory);
  return pid !== null && (isDead(pid) || isOther(pid, directory)) ? pid : undefined;
}

/** @param {string} directory */
async function endEarlier(directory) {
  const pid = pidOf(directory);
  if (pid === null || !isServerOf(pid, directory)) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < PATIENCE_MS && isServerOf(pid, directory); waited += 50) await sleep(50);
}

/** @param {string} directory */
function pidOf(directory) {
  const file = join(directory, 'postmaster.pid');
  const pid = existsSync(file) ? Number(readFileSync(file, 'utf8').split('\n')[0]) : 0;
  return Number.isInteger(pid) && pid > 1 ? pid : null;
}

/**
 * Whether a process is a zombie.
 * @param {number} pid
 */
function isDead(pid) {
  const state =
    process.platform === 'linux'
      ? (read(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
          .split(') ')
          .at(-1) ?? '')
      : read(() => ps(pid, 'stat='));
  return state.startsWith('Z');
}

/**
 * Whether another program has this process ID now. If the command cannot be read, it may be the server.
 * @param {number} pid
 * @param {string} directory
 */
function isOther(pid, directory) {
  return commandOf(pid) !== '' && !isServerOf(pid, directory);
}

/**
 * Whether a process is a PostgreSQL server on that data, and not another program with its former ID.
 * @param {number} pid
 * @param {string} directory
 */
function isServerOf(pid, directory) {
  const command = commandOf(pid);
  return /postgres(\.exe)?\s+-D\s/.test(command) && command.includes(directory);
}

/** @param {number} pid */
function commandOf(pid) {
  if (process.platform !== 'linux') return read(() => ps(pid, 'command='));
  return read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '));
}

/**
 * @param {number} pid
 * @param {string} column
 */
function ps(pid, column) {
  const args = ['-o', column, '-p', String(pid)];
  return execFileSync('ps', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
}

/**
 * Returns the output of `ps`; an empty string if there is no such process.
 * @param {() => string} ask
 */
function read(ask) {
  try {
    return ask();
  } catch {
    return '';
  }
}
