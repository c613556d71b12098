// @ts-check

/**
 * What a process may keep in its heap, in MiB: several times what 10,000 monitors take. Beyond it Node ends with an error,
 * and is started again; without it, it would grow until the machine's memory is used up.
 */
const MOST_MIB = { web: 512, worker: 768 };

/** Node's preset of 16 MiB keeps up to 48 MiB of dead objects; with this, they are collected more often. */
const YOUNG_MIB = 4;

/**
 * Node's flags that bound the heap of a process. One that NODE_OPTIONS names is the operator's to decide.
 * @param {'web' | 'worker'} part
 * @param {NodeJS.ProcessEnv} env
 */
export function memoryFlags(part, { NODE_OPTIONS = '' }) {
  const flags = { '--max-old-space-size': MOST_MIB[part], '--max-semi-space-size': YOUNG_MIB };
  const isGiven = (/** @type {string} */ name) => NODE_OPTIONS.replaceAll('_', '-').includes(name);
  return Object.entries(flags).flatMap(([name, mib]) => (isGiven(name) ? [] : [`${name}=${mib}`]));
}

/**
 * What the C library is told by the environment: with glibc's preset, each of a process's many threads keeps freed memory in
 * an arena of its own.
 * @param {NodeJS.ProcessEnv} env
 */
export function memorySettings({ MALLOC_ARENA_MAX = '2' }) {
  return { MALLOC_ARENA_MAX };
}
