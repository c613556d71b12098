// @ts-check
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Manifest what is read of Next's own list of its addresses
 * @property {{ page: string }[]} staticRoutes
 * @property {{ page: string, regex: string }[]} dynamicRoutes the first that matches counts
 */

/**
 * Next's list of the addresses that were built, or an empty one where nothing was built.
 * @param {string} file
 * @returns {Manifest}
 */
export function readManifest(file = '.next/routes-manifest.json') {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { staticRoutes: [], dynamicRoutes: [] };
}

/**
 * Makes the function that gives the pattern of a path, such as "/monitors/{id}", of which there are few whatever is asked
 * for. A path that nothing is at is "unknown".
 * @param {Manifest} manifest
 * @returns {(path: string) => string}
 */
export function routePatterns({ staticRoutes, dynamicRoutes }) {
  const known = new Set(staticRoutes.map(({ page }) => page));
  const patterns = dynamicRoutes.map(({ page, regex }) => ({
    expression: new RegExp(regex),
    pattern: page.replace(/\[+(?:\.\.\.)?(\w+)\]+/g, '{$1}'),
  }));
  return (path) => {
    if (known.has(path)) return path;
    if (path.startsWith('/_next/')) return '/_next/{file}';
    return patterns.find(({ expression }) => expression.test(path))?.pattern ?? 'unknown';
  };
}
