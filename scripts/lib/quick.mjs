// @ts-check
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readFile } from './imports/read-file.mjs';
import { resolve, sourcesUnder } from './imports/resolve.mjs';
import { quietly } from './processes/command.mjs';
import { lastDurations } from './suites.mjs';

/**
 * @typedef {object} Limits of a suite in a quick run
 * @property {number} budgetMs the sum of the files' durations over all workers. All suites together leave the checks half of 90 s on two cores.
 * @property {number} usualMs the assumed duration of a file that was not run before
 * @property {boolean} isDeep whether a test is chosen that imports a changed file through others. Through the router, most integration tests import
 * most of server/.
 */

/** @type {Record<string, Limits>} */
const SUITES = {
  unit: { budgetMs: 30_000, usualMs: 600, isDeep: true },
  integration: { budgetMs: 60_000, usualMs: 7_000, isDeep: false },
};

/**
 * Selects the tests of a suite for a change, most relevant first: changed tests, those that import a changed file, those of changed rooms, then those
 * that import a changed file through others. Selects files until their durations in the last run exceed the budget.
 * @param {string} suite
 * @param {{ changed: Iterable<string>, durations?: import('./suites.mjs').Duration[], root?: string }} from
 * @returns {{ files: string[], leftOut: number }}
 */
export function quickFiles(suite, { changed, durations = lastDurations(suite), root = '.' }) {
  const { budgetMs, usualMs, isDeep } = SUITES[suite] ?? { budgetMs: 0, usualMs: 0, isDeep: false };
  const known = new Map(durations.map(({ file, ms }) => [file, ms]));
  const rankOf = ranks(root, new Set(changed), isDeep);
  const ranked = sourcesUnder(root, `tests/${suite}`)
    .filter((file) => /\.test\.tsx?$/.test(file))
    .map((file) => ({ file, rank: rankOf(file), ms: known.get(file) ?? usualMs }))
    .filter(({ rank }) => rank < Number.POSITIVE_INFINITY)
    .sort((one, other) => one.rank - other.rank || one.ms - other.ms);
  let restMs = budgetMs;
  const files = ranked.flatMap(({ file, ms }) => {
    restMs -= ms;
    return restMs >= 0 ? [file] : [];
  });
  return { files, leftOut: ranked.length - files.length };
}

/** Returns the name of the folder of tests for a file: a room of server/, or a folder beside it. @param {string} file */
const roomOf = (file) =>
  /^(?:server|tests\/\w+)\/([^/]+)\//.exec(file)?.[1] ?? /^(app|prisma|scripts)\//.exec(file)?.[1];

/**
 * @param {string} root
 * @param {Set<string>} changed
 * @param {boolean} isDeep
 * @returns {(file: string) => number}
 */
function ranks(root, changed, isDeep) {
  const rooms = new Set([...changed].filter((file) => !file.startsWith('tests/')).map(roomOf));
  /** @type {Map<string, string[]>} */
  const known = new Map();
  const importsOf = (/** @type {string} */ file) => {
    const found = known.get(file) ?? (isSource(root, file) ? directImports(root, file) : []);
    known.set(file, found);
    return found;
  };
  const reaches = (/** @type {string} */ file) => {
    const seen = new Set([file]);
    for (const each of seen) for (const to of importsOf(each)) seen.add(to);
    return [...seen].some((each) => changed.has(each));
  };
  return (file) => {
    if (changed.has(file)) return 0;
    if (importsOf(file).some((to) => changed.has(to))) return 1;
    if (rooms.has(roomOf(file))) return 2;
    return isDeep && reaches(file) ? 3 : Number.POSITIVE_INFINITY;
  };
}

/** @param {string} root @param {string} file */
const isSource = (root, file) => /\.(ts|tsx|mjs)$/.test(file) && existsSync(join(root, file));

/** @param {string} root @param {string} file */
const directImports = (root, file) =>
  readFile(join(root, file)).imports.flatMap(({ from }) => resolve(root, file, from) ?? []);

/** Lists the files in uncommitted changes and in commits that the upstream branch lacks; without such a branch, in the last commit. */
export async function changedFiles() {
  const git = async (/** @type {string[]} */ ...args) =>
    (await quietly(`git ${args[0]}`, 'git', args)).split('\n').filter(Boolean);
  const base = await git('merge-base', 'HEAD', '@{upstream}').catch(() => ['HEAD~1']);
  const [tracked, untracked] = await Promise.all([
    git('diff', '--name-only', base[0] ?? 'HEAD'),
    git('ls-files', '--others', '--exclude-standard'),
  ]);
  return [...tracked, ...untracked];
}
