// @ts-check
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sleep } from './notes.mjs';

const PATIENCE_MS = 30_000;

/**
 * Ends a server that an earlier start, which was killed, left running on this data. The caller holds the lock on the
 * data, so nobody uses that server any more. Its postmaster.pid is PostgreSQL's own affair, stale or not.
 * @param {string} directory
 */
export async function endEarlier(directory) {
  const file = join(directory, 'postmaster.pid');
  if (!existsSync(file)) return;
  const pid = Number(readFileSync(file, 'utf8').split('\n')[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isServerOf(pid, directory)) return;
  process.kill(pid, 'SIGINT');
  for (let waited = 0; waited < PATIENCE_MS && isServerOf(pid, directory); waited += 50) await sleep(50);
}

/**
 * Whether that process is a PostgreSQL server on that data: its number may have passed on to another program.
 * @param {number} pid
 * @param {string} directory
 */
function isServerOf(pid, directory) {
  const command = commandOf(pid);
  return /postgres(\.exe)?\s+-D\s/.test(command) && command.includes(directory);
}

/** @param {number} pid */
function commandOf(pid) {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], {
          encoding: 'utf8',
          stdio: ['ignore', 'pipe', 'ignore'],
        });
  } catch {
    return '';
  }
}
