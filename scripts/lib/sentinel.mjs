// @ts-check
import { spawn } from 'node:child_process';

/**
 * Sees to it that what we started ends even where we are killed before we can end it: a shell waits on a
 * pipe of which we hold the other end. Windows has no such shell; there it ends by itself, or is found by the next start.
 * @param {number} pid negative for a group of processes, by its leader
 * @param {'INT' | 'KILL'} signal
 * @param {number} [graceSeconds] how long it waits after our end, for others who still use it
 * @returns {() => void} calls the watch off
 */
export function endWithUs(pid, signal, graceSeconds = 0) {
  if (process.platform === 'win32') return () => undefined;
  const script = 'read -r _; sleep "$2"; kill -s "$1" -- "$0"';
  const shell = spawn('sh', ['-c', script, String(pid), signal, String(graceSeconds)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  shell.on('error', () => undefined);
  shell.stdin.on('error', () => undefined);
  shell.unref();
  return () => void shell.kill('SIGKILL');
}
