// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from '../notes.mjs';

const PATIENCE_MS = 30_000;

/**
 * Ends a server that an earlier, killed start left running on this data. The caller holds the lock on the data, so nobody uses that server.
 * @param {string} directory
 */
export async function endEarlier(directory) {
  const file = join(directory, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1) return;
  if (isServerOf(pid, directory)) {
    process.kill(pid, 'SIGINT');
    for (let waited = 0; waited < PATIENCE_MS && isServerOf(pid, directory); waited += 50) await sleep(50);
  }
  // PostgreSQL treats any process with this ID as its server, including a zombie. Remaining processes of the server are found by their shared memory,
  // which does not depend on this file.
  if (isDead(pid) || isOther(pid, directory)) rmSync(file, { force: true });
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
 * Whether another program has this process ID now. A process whose command cannot be read may be the server.
 * @param {number} pid
 * @param {string} directory
 */
function isOther(pid, directory) {
  return commandOf(pid) !== '' && !isServerOf(pid, directory);
}

/**
 * Whether that process is a PostgreSQL server on that data: another program may have its ID now.
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
 * The output of `ps`, or nothing without such a process.
 * @param {() => string} ask
 */
function read(ask) {
  try {
    return ask();
  } catch {
    return '';
  }
}
