// @ts-check
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

const ENDINGS = ['', '.ts', '.tsx', '.mjs', '.js', '/index.ts', '/index.tsx'];

/**
 * Resolves an import to a project file, as a path from the root; null for a package. A missing file keeps the requested path.
 * @param {string} root
 * @param {string} importer
 * @param {string} from
 * @returns {string | null}
 */
export function resolve(root, importer, from) {
  const isOurs = from.startsWith('@/') || from.startsWith('.');
  if (!isOurs) return null;
  const path = from.startsWith('@/') ? posix.normalize(from.slice(2)) : posix.join(posix.dirname(importer), from);
  const isFile = (/** @type {string} */ name) => existsSync(join(root, name)) && statSync(join(root, name)).isFile();
  const ending = ENDINGS.find((each) => isFile(path + each)) ?? '';
  return path + ending;
}

/**
 * Lists the TypeScript and JavaScript files at and under a folder of the project, as paths from its root.
 * @param {string} root
 * @param {string} folder
 * @returns {string[]}
 */
export function sourcesUnder(root, folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'generated' ? [] : sourcesUnder(root, path);
    return /\.(ts|tsx|mjs|js)$/.test(entry.name) ? [path] : [];
  });
}
