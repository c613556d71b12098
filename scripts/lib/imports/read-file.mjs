// @ts-check
import { readFileSync } from 'node:fs';
import { parseSync } from 'oxc-parser';

/**
 * @typedef {object} Import
 * @property {string} from the module specifier
 * @property {string[]} names empty for a side effect or `export *`
 * @property {boolean} isType erased at run time
 * @property {number} line
 */

/**
 * @typedef {object} FileFacts
 * @property {Import[]} imports including re-exports and dynamic imports with a literal
 * @property {boolean} isClient starts with 'use client'
 * @property {{ what: string, line: number }[]} reads of the environment, the clock, random numbers and the network
 * @property {{ what: string, line: number }[]} raw calls of Prisma with SQL
 */

/** Globals that make a function impure. */
const WORLDLY = new Set(['process', 'performance', 'fetch', 'setTimeout', 'setInterval', 'setImmediate', 'crypto']);

/** Prisma's methods that take SQL. */
const RAW = new Set(['$queryRaw', '$executeRaw', '$queryRawUnsafe', '$executeRawUnsafe', '$queryRawTyped']);

/**
 * Parses a TypeScript file, and returns its imports and impure reads.
 * @param {string} path
 * @returns {FileFacts}
 */
export function readFile(path) {
  const code = readFileSync(path, 'utf8');
  const { module, program } = parseSync(path, code);
  const lineAt = (/** @type {number} */ offset) => code.slice(0, offset).split('\n').length;
  /** @type {Import[]} */
  const imports = module.staticImports.map(({ moduleRequest, entries, start }) => ({
    from: moduleRequest.value,
    names: entries.flatMap(({ importName }) => importName.name ?? []),
    isType: entries.length > 0 && entries.every((entry) => entry.isType),
    line: lineAt(start),
  }));
  for (const { entries, start } of module.staticExports) {
    for (const { moduleRequest, importName, isType } of entries) {
      if (!moduleRequest) continue;
      imports.push({
        from: moduleRequest.value,
        names: importName.name ? [importName.name] : [],
        isType,
        line: lineAt(start),
      });
    }
  }
  for (const { moduleRequest, start } of module.dynamicImports) {
    const [, from] = /^(['"`])([^$]*)\1$/.exec(code.slice(moduleRequest.start, moduleRequest.end))?.slice(1) ?? [];
    if (from) imports.push({ from, names: [], isType: false, line: lineAt(start) });
  }
  /** @type {FileFacts['reads']} */
  const reads = imports
    .filter(({ from, isType }) => /^(node:)?process$/.test(from) && !isType)
    .map(({ line }) => ({ what: 'process.env', line }));
  /** @type {FileFacts['raw']} */
  const raw = [];
  walk(program, [], (node, parents) => {
    const what = worldly(node, parents);
    if (what) reads.push({ what, line: lineAt(node.start) });
    const name = nameOf(node.property ?? node.key);
    if (RAW.has(name)) raw.push({ what: name, line: lineAt(node.start) });
  });
  const isClient = program.body.some((node) => 'directive' in node && node.directive === 'use client');
  return { imports, isClient, reads, raw };
}

/** @typedef {{ type: string, start: number } & Record<string, any>} Node what it has beside depends on its type */

/**
 * @param {unknown} node
 * @param {Node[]} parents nearest first
 * @param {(node: Node, parents: Node[]) => void} visit
 */
function walk(node, parents, visit) {
  if (Array.isArray(node)) for (const item of node) walk(item, parents, visit);
  if (typeof node !== 'object' || node === null || !('type' in node)) return;
  const known = /** @type {Node} */ (node);
  visit(known, parents);
  for (const value of Object.values(known)) if (typeof value === 'object') walk(value, [known, ...parents], visit);
}

/** @param {Node | null | undefined} node */
const nameOf = (node) => node?.name ?? node?.value;

/**
 * Returns what a node reads from outside of its file, such as the environment or the clock; null for other nodes.
 * @param {Node} node
 * @param {Node[]} parents
 * @returns {string | null}
 */
function worldly(node, [parent]) {
  switch (node.type) {
    case 'MemberExpression': {
      // globalThis.process.env is process.env.
      const path = `${nameOf(node.object.property ?? node.object)}.${nameOf(node.property)}`;
      return ['process.env', 'Date.now', 'Math.random'].includes(path) ? path : null;
    }
    case 'VariableDeclarator': {
      const taken = nameOf(node.init) === 'process' ? (node.id.properties ?? []) : [];
      return taken.some((/** @type {Node} */ { key }) => nameOf(key) === 'env') ? 'process.env' : null;
    }
    case 'NewExpression':
      return nameOf(node.callee) === 'Date' && node.arguments.length === 0 ? 'new Date()' : null;
    case 'Identifier': {
      const isProperty = parent?.type === 'MemberExpression' && parent.property === node && !parent.computed;
      const isKey = parent?.type === 'Property' && parent.key === node && !parent.shorthand;
      return WORLDLY.has(node.name) && !isProperty && !isKey ? node.name : null;
    }
    default:
      return null;
  }
}
