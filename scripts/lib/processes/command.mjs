// @ts-check
import { spawn } from 'node:child_process';
import { Refusal } from '../steps.mjs';
import { endWithUs } from './sentinel.mjs';

/** How long a command may clean up before it is killed. npm would continue to its end; partial results are redone. */
const PATIENCE_MS = 1_000;

/** @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set();
let isEnding = false;

/** Throws if the start is being stopped, because nothing would end the command. */
export function assertMayRun() {
  if (isEnding) throw new Refusal('The start was stopped.');
}

/**
 * Ends a child when the start is stopped before the child is done.
 * @param {import('node:child_process').ChildProcess} child that leads a process group
 */
export function endWithStart(child) {
  running.add(child);
  child.once('close', () => running.delete(child));
}

/** Ends every running command with its descendants and waits for their end. Afterwards, no command can be started. */
export async function endCommands() {
  isEnding = true;
  await Promise.all([...running].map(end));
}

/** @param {import('node:child_process').ChildProcess} child */
async function end(child) {
  const ended = new Promise((resolve) => child.once('close', resolve));
  signal(child, 'SIGTERM');
  const timer = setTimeout(() => signal(child, 'SIGKILL'), PATIENCE_MS);
  await ended;
  clearTimeout(timer);
  // Ends descendants that ignored the signal and no longer write to our pipes.
  if (child.pid && process.platform !== 'win32') signal(child, 'SIGKILL');
}

/**
 * Signals a child. One that leads a group (`detached`) is signalled together with its own children.
 * @param {import('node:child_process').ChildProcess} child
 * @param {NodeJS.Signals} name
 */
function signal(child, name) {
  try {
    if (process.platform === 'win32' || !child.pid) child.kill(name);
    else process.kill(-child.pid, name);
  } catch {
    // The process ended in the meantime.
  }
}

/**
 * Runs a command and shows its output only if it fails.
 * @param {string} what it does, for the message: "Installing the dependencies"
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<string>} its output
 */
export async function quietly(what, file, args, env = process.env) {
  assertMayRun();
  const child = spawn(file, args, {
    env,
    detached: process.platform !== 'win32',
    shell: process.platform === 'win32' && file === 'npm',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  const callOff = child.pid ? endWithUs(-child.pid, 'KILL') : () => undefined;
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    output += chunk;
  });
  const code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status, name) => resolve(status ?? name));
  }).finally(() => {
    running.delete(child);
    callOff();
  });
  if (code === 0) return output;
  if (/ENOSPC|No space left/i.test(output)) throw new Refusal('There is no space left on the disk.');
  throw new Refusal(`${what} failed (${code}).`, lastLines(output));
}

/** Linux shares the CPU between sessions first ("autogroup"), so that niceness alone would count within one only. */
const BEHIND = 'echo 19 2>/dev/null >/proc/self/autogroup; exec nice -n 19 "$0" "$@"';

/**
 * Returns a command for `quietly` that uses only what other processes leave of the CPU.
 * @param {string} file
 * @param {string[]} args
 * @returns {[file: string, args: string[]]}
 */
export function behind(file, args) {
  return process.platform === 'win32' ? [file, args] : ['sh', ['-c', BEHIND, file, ...args]];
}

/** @param {string} output */
function lastLines(output) {
  return output.trim().split('\n').slice(-200).join('\n');
}
