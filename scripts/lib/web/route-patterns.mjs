// @ts-check
import { existsSync, readFileSync } from 'node:fs';

/**
 * @typedef {object} Manifest the parts used of Next's list of routes
 * @property {{ page: string }[]} staticRoutes
 * @property {{ page: string, regex: string }[]} dynamicRoutes the first match counts
 */

/**
 * Reads Next's list of the built routes; an empty one without a build.
 * @param {string} file
 * @returns {Manifest}
 */
export function readManifest(file = '.next/routes-manifest.json') {
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : { staticRoutes: [], dynamicRoutes: [] };
}

/**
 * Returns the function that maps a path to its route pattern, such as "/monitors/{id}", or to "unknown", so that the number of results is bounded.
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
