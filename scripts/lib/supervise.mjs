// @ts-check
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { note } from './notes.mjs';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** A process that ran this long was well: the next wait is short again. */
const WELL_AFTER_MS = 30_000;

/**
 * Runs a Node program and starts it again whenever it ends, waiting longer each time it does so soon.
 * @param {object} program
 * @param {string} program.title what the system's process list shows
 * @param {string} program.file
 * @param {NodeJS.ProcessEnv} program.env
 * @param {string[]} [program.args]
 * @param {string[]} [program.flags] for Node
 */
export function supervise({ title, file, env, args = [], flags = [] }) {
  const stopping = new AbortController();
  let ends = 0;
  let isServing = false;
  /** @type {import('node:child_process').ChildProcess} */
  let child;

  function start() {
    const loaded = ['end-with-parent', ...(env.NODE_ENV === 'production' ? ['json-console'] : [])];
    const imports = loaded.flatMap((name) => ['--import', `./scripts/lib/${name}.mjs`]);
    const command = ['--no-warnings', ...flags, `--title=${title}`, ...imports, file, ...args];
    // A session of its own, so that Ctrl-C in a terminal reaches the start script, which knows the order.
    child = spawn(process.execPath, command, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('message', () => {
      isServing = true;
    });
    return new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? `exit code ${code}`));
    });
  }

  async function keep() {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const began = performance.now();
      const reason = await start();
      isServing = false;
      if (stopping.signal.aborted) return;
      ends += 1;
      if (performance.now() - began > WELL_AFTER_MS) wait = FIRST_WAIT_MS;
      note('error', `${title} ended (${reason}), starting it again in ${wait} ms`);
      await pause(wait, null, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  }

  const kept = keep();
  return {
    /** How often it has ended by itself. */
    ends: () => ends,
    /** Whether the one that runs now has said that it listens. */
    isServing: () => isServing,
    /**
     * Asks it to end, and ends it where it has not after `patienceMs`.
     * @param {number} patienceMs
     */
    async stop(patienceMs) {
      stopping.abort();
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), patienceMs);
      await kept;
      clearTimeout(timer);
    },
  };
}
