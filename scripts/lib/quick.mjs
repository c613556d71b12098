// @ts-check
import { join } from 'node:path';
import { readFile } from './imports/read-file.mjs';
import { resolve, sourcesUnder } from './imports/resolve.mjs';
import { quietly } from './processes/command.mjs';
import { lastDurations } from './suites.mjs';

const TESTS = 'tests/integration';
/** The sum of the files' durations over all workers. What checks and unit tests leave of 90 s on two cores. */
const BUDGET_MS = 80_000;
/** The assumed duration of a new file. */
const USUAL_MS = 7_000;

/**
 * The integration tests for a change, most relevant first: changed tests, then those that import a changed file, then those of changed rooms of
 * server/. Selects files until their durations in the last run exceed the budget.
 * @returns {Promise<{ files: string[], leftOut: number }>}
 */
export async function quickFiles() {
  const changed = new Set(await changedFiles());
  const rooms = new Set([...changed].flatMap((file) => /^server\/([^/]+)\//.exec(file)?.[1] ?? []));
  const known = new Map(lastDurations('integration').map(({ file, ms }) => [file, ms]));
  const ranked = sourcesUnder('.', TESTS)
    .filter((file) => file.endsWith('.test.ts'))
    .map((file) => ({ file, rank: rankOf(file, changed, rooms), ms: known.get(file) ?? USUAL_MS }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank || one.ms - other.ms);
  let restMs = BUDGET_MS;
  const files = ranked.flatMap(({ file, ms }) => {
    restMs -= ms;
    return restMs >= 0 ? [file] : [];
  });
  return { files, leftOut: ranked.length - files.length };
}

/**
 * @param {string} file
 * @param {Set<string>} changed
 * @param {Set<string>} rooms
 */
function rankOf(file, changed, rooms) {
  if (changed.has(file)) return 0;
  const imports = readFile(join('.', file)).imports.map(({ from }) => resolve('.', file, from));
  if (imports.some((to) => to !== null && changed.has(to))) return 1;
  return rooms.has(file.split('/')[2] ?? '') ? 2 : Number.POSITIVE_INFINITY;
}

/** Uncommitted changes and the commits that the upstream branch lacks; without one, the last commit. */
async function changedFiles() {
  const git = async (/** @type {string[]} */ ...args) =>
    (await quietly(`git ${args[0]}`, 'git', args)).split('\n').filter(Boolean);
  const base = await git('merge-base', 'HEAD', '@{upstream}').catch(() => ['HEAD~1']);
  const [tracked, untracked] = await Promise.all([
    git('diff', '--name-only', base[0] ?? 'HEAD'),
    git('ls-files', '--others', '--exclude-standard'),
  ]);
  return [...tracked, ...untracked];
}
