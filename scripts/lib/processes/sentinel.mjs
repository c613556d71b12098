// @ts-check
import { spawn } from 'node:child_process';

/**
 * Ends a process even if this one is killed: a shell waits on a pipe whose other end this process holds. On Windows, which has no such shell, the
 * process ends by itself, or the next start finds it.
 * @param {number} pid negative for the process group of this leader
 * @param {'INT' | 'KILL'} signal
 * @param {number} [graceSeconds] the delay after the end of this process, for others that still use it
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
