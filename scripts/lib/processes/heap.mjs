// @ts-check

/**
 * Heap limits in MiB: several times the need of 10,000 monitors. Beyond it Node exits with an error and is restarted; without a limit it could use up
 * the machine's memory.
 */
const MOST_MIB = { web: 512, worker: 768 };

/** Node's default of 16 MiB keeps up to 48 MiB of dead objects; a smaller value collects them more often. */
const YOUNG_MIB = 4;

/**
 * Returns Node's flags that limit the heap of a process. A flag in NODE_OPTIONS takes precedence.
 * @param {'web' | 'worker'} part
 * @param {NodeJS.ProcessEnv} env
 */
export function memoryFlags(part, { NODE_OPTIONS = '' }) {
  const flags = { '--max-old-space-size': MOST_MIB[part], '--max-semi-space-size': YOUNG_MIB };
  const isGiven = (/** @type {string} */ name) => NODE_OPTIONS.replaceAll('_', '-').includes(name);
  return Object.entries(flags).flatMap(([name, mib]) => (isGiven(name) ? [] : [`${name}=${mib}`]));
}

/**
 * Returns the environment for the C library. By default, glibc keeps freed memory in an arena for each of a process's many threads.
 * @param {NodeJS.ProcessEnv} env
 */
export function memorySettings({ MALLOC_ARENA_MAX = '2' }) {
  return { MALLOC_ARENA_MAX };
}
