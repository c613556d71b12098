// @ts-check
// Enforces the import rules of docs/architecture.md for app/, cli/, server/ and the files at the root.
import { existsSync } from 'node:fs';
import { join, resolve as resolvePath } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readFile } from './lib/imports/read-file.mjs';
import { resolve, sourcesUnder } from './lib/imports/resolve.mjs';
import {
  isOutsideOfTasks,
  isServerOnly,
  maySendSql,
  PURE,
  PURE_PACKAGES,
  RULES,
  roomOf,
  THREADS,
} from './lib/imports/rules.mjs';

/** @typedef {import('./lib/imports/rules.mjs').Edge & { line: number }} Edge */
/** @typedef {{ file: string, line: number, rule: string, message: string }} Problem */

const ENV = 'server/platform/env.ts';
/** Next replaces `process.env.NEXT_RUNTIME` there during the build, to remove the code of the other runtime. */
const REPLACED = 'instrumentation.ts';
const AT_ROOT = ['proxy.ts', 'instrumentation.ts', 'next.config.mjs'];

/**
 * Finds every violation of a rule in a project.
 * @param {string} root
 * @returns {Problem[]}
 */
export function checkImports(root) {
  const files = [
    ...sourcesUnder(root, 'app'),
    ...sourcesUnder(root, 'cli'),
    ...sourcesUnder(root, 'server'),
    ...AT_ROOT.filter((name) => existsSync(join(root, name))),
  ];
  const facts = new Map(files.map((file) => [file, readFile(join(root, file))]));
  /** @type {Map<string, Edge[]>} */
  const edges = new Map();
  for (const [file, { imports }] of facts) {
    edges.set(
      file,
      imports.map((each) => ({ ...each, file, to: resolve(root, file, each.from), isClient: false })),
    );
  }
  const clients = reachable(
    edges,
    files.filter((file) => facts.get(file)?.isClient),
  );
  const pure = reachable(
    edges,
    [...facts.keys()].filter((file) => PURE.test(file)),
  );
  const tasks = reachable(edges, [THREADS]);
  const broken = [...edges].flatMap(([file, own]) => [
    ...own.flatMap((edge) => judge({ ...edge, isClient: clients.has(file) }, pure.has(file))),
    ...(tasks.has(file) ? own.flatMap(judgeTask) : []),
    ...judgeReads(file, facts.get(file)?.reads ?? [], pure.has(file)),
    ...judgeRaw(file, facts.get(file)?.raw ?? []),
  ]);
  return [...broken, ...judgeOrder([...edges.values()].flat()), ...judgeCycles(edges)];
}

/**
 * Imports between rooms of server/ that import each other, directly or through others: the arrows only go down.
 * @param {Edge[]} edges
 * @returns {Problem[]}
 */
function judgeOrder(edges) {
  const between = edges.flatMap((edge) => {
    const [room, other] = [roomOf(edge.file), roomOf(edge.to ?? '')];
    return room && other && room !== other ? [{ ...edge, room, other }] : [];
  });
  /** @type {Map<string, Set<string>>} */
  const below = new Map(between.map(({ room }) => [room, new Set()]));
  for (const { room, other } of between) below.get(room)?.add(other);
  const reaches = (/** @type {string} */ from, /** @type {string} */ to) => {
    const seen = new Set(below.get(from));
    for (const room of seen) for (const next of below.get(room) ?? []) seen.add(next);
    return seen.has(to);
  };
  return between
    .filter(({ room, other }) => reaches(other, room))
    .map(({ file, line, to, room, other }) => {
      return {
        file,
        line,
        rule: 'order',
        message: `imports ${to}: ${other} imports ${room}, directly or through others`,
      };
    });
}

/**
 * Imports between files that import each other, directly or through others; types count too. Removes files that import none of the rest, or that none
 * of the rest imports, until only cycles and connections between cycles remain.
 * @param {Map<string, Edge[]>} edges
 * @returns {Problem[]}
 */
function judgeCycles(edges) {
  let left = [...edges.values()].flat().filter(({ to }) => to !== null && edges.has(to));
  for (let before = 0; before !== left.length; ) {
    before = left.length;
    const importing = new Set(left.map(({ file }) => file));
    const imported = new Set(left.map(({ to }) => to));
    left = left.filter(({ file, to }) => imported.has(file) && importing.has(to ?? ''));
  }
  return left.map(({ file, line, to }) => {
    return { file, line, rule: 'cycle', message: `imports ${to}, which imports this file, directly or through others` };
  });
}

/**
 * @param {Edge} edge
 * @param {boolean} isPure
 * @returns {Problem[]}
 */
function judge(edge, isPure) {
  const { file, to, from, line, isClient, isType } = edge;
  const problem = (/** @type {string} */ rule, /** @type {string} */ says) => ({
    file,
    line,
    rule,
    message: `imports ${to ?? from}: ${says}`,
  });
  const broken = RULES.filter(
    (rule) =>
      rule.of(file, isClient) &&
      !(to === null ? (rule.packages?.(from) ?? true) : (rule.ours?.({ ...edge, to }) ?? true)),
  );
  const problems = broken.map(({ name, says }) => problem(name, says));
  if (!isType && isClient && file.startsWith('server/') && isServerOnly(edge)) {
    problems.push(problem('client-reach', 'a browser loads this file through a schema, and must not load that'));
  }
  if (!isType && isPure && (isServerOnly(edge) || (to === null && !PURE_PACKAGES.has(from)))) {
    problems.push(problem('pure-reach', 'a pure part of checks loads this file, and must not load that'));
  }
  return problems;
}

/**
 * @param {Edge} edge of a file that the threads of bounded tasks load
 * @returns {Problem[]}
 */
function judgeTask(edge) {
  const { file, to, from, line, isType } = edge;
  if (isType || !isOutsideOfTasks(edge)) return [];
  const message = `imports ${to ?? from}: a thread of bounded tasks loads this file, and must not load that`;
  return [{ file, line, rule: 'threads-reach', message }];
}

/**
 * @param {string} file
 * @param {{ what: string, line: number }[]} reads
 * @param {boolean} isPure
 * @returns {Problem[]}
 */
function judgeReads(file, reads, isPure) {
  return reads.flatMap(({ what, line }) => {
    if (what === 'process.env' && file !== ENV && file !== REPLACED) {
      return [{ file, line, rule: 'env', message: `touches process.env: only ${ENV} does` }];
    }
    return isPure
      ? [{ file, line, rule: 'pure-reach', message: `uses ${what}: a pure part of checks gets it as an argument` }]
      : [];
  });
}

/**
 * @param {string} file
 * @param {{ what: string, line: number }[]} raw
 * @returns {Problem[]}
 */
function judgeRaw(file, raw) {
  if (maySendSql(file)) return [];
  const message = 'is for what no model call expresses, in queries.ts, platform/locks.ts, checks and history';
  return raw.map(({ what, line }) => ({ file, line, rule: 'raw-sql', message: `calls ${what}, which ${message}` }));
}

/**
 * Returns the files and everything they load at run time.
 * @param {Map<string, Edge[]>} edges
 * @param {string[]} roots
 * @returns {Set<string>}
 */
function reachable(edges, roots) {
  const found = new Set(roots);
  for (const file of found) {
    for (const { to, isType } of edges.get(file) ?? []) if (to !== null && !isType && edges.has(to)) found.add(to);
  }
  return found;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems = checkImports(resolvePath('.'));
  for (const { file, line, rule, message } of problems) console.log(`${file}:${line} [${rule}] ${message}`);
  if (problems.length > 0) process.exitCode = 1;
}
