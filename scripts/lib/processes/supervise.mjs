// @ts-check
import { spawn } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { note } from '../notes.mjs';

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
/** A process that ran this long was healthy: the backoff is reset. */
const WELL_AFTER_MS = 30_000;
/** The exit code of a process that a newer version replaces; see server/platform/database/until-usable.ts. */
export const OUTDATED = 78;

/**
 * Runs a Node program and restarts it whenever it ends, with a backoff for early ends, but not if a newer version replaces it.
 * @param {object} program
 * @param {string} program.title in the system's process list
 * @param {string} program.file
 * @param {NodeJS.ProcessEnv} program.env
 * @param {string[]} [program.args]
 * @param {string[]} [program.flags] for Node
 * @param {() => void} [program.onOutdated] called when it has ended because a newer version replaces it
 */
export function supervise({ title, file, env, args = [], flags = [], onOutdated = () => undefined }) {
  const stopping = new AbortController();
  let ends = 0;
  let isServing = false;
  /** @type {import('node:child_process').ChildProcess} */
  let child;

  function start() {
    const loaded = ['end-with-parent', ...(env.NODE_ENV === 'production' ? ['json-console'] : [])];
    const imports = loaded.flatMap((name) => ['--import', `./scripts/lib/processes/${name}.mjs`]);
    const command = ['--no-warnings', ...flags, `--title=${title}`, ...imports, file, ...args];
    // Its own session, so that Ctrl-C in a terminal signals only the start script, which stops everything in order.
    isServing = false;
    child = spawn(process.execPath, command, { env, detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    child.once('message', () => {
      isServing = true;
    });
    return new Promise((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ?? code));
    });
  }

  async function keep() {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(wait * 2, LONGEST_WAIT_MS)) {
      const began = performance.now();
      const reason = await start();
      isServing = false;
      if (stopping.signal.aborted) return;
      if (reason === OUTDATED) return onOutdated();
      ends += 1;
      if (performance.now() - began > WELL_AFTER_MS) wait = FIRST_WAIT_MS;
      note(
        'error',
        `${title} ended (${typeof reason === 'number' ? `exit code ${reason}` : reason}), starting it again in ${wait} ms`,
      );
      await pause(wait, null, { signal: stopping.signal }).catch(() => undefined);
      if (stopping.signal.aborted) return;
    }
  }

  const kept = keep();
  return {
    /** How often it has ended by itself. */
    ends: () => ends,
    /** Whether the current process has reported that it listens. */
    isServing: () => isServing,
    /**
     * Asks the process to end, and kills it after `patienceMs`.
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
