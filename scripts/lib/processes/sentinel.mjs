// @ts-check
import { spawn } from 'node:child_process';

/**
 * Ends a process even if this one is killed before it can: a shell waits on a pipe whose other end this process holds. Windows has no such shell;
 * there it ends by itself, or is found by the next start.
 * @param {number} pid negative for a group of processes, by its leader
 * @param {'INT' | 'KILL'} signal
 * @param {number} [graceSeconds] the delay after the end of this process, for others who still use it
 * @returns {() => void} cancels it
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
