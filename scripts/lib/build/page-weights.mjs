// @ts-check
import { readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { gzipSync } from 'node:zlib';

const SUFFIX = 'page_client-reference-manifest.js';

/**
 * Returns the scripts that a browser loads with each page, in bytes compressed by gzip: those of the framework, the layouts and the page. Without what
 * the page loads later, when something is opened, and without what it prefetches.
 * @param {string} build the folder of Next's build
 * @returns {Map<string, number>} by the page's file: "(dashboard)/(team)/monitors/page"
 */
export function pageWeights(build) {
  const read = (/** @type {string} */ file) => readFileSync(join(build, file), 'utf8');
  const { rootMainFiles } = JSON.parse(read('build-manifest.json'));
  /** @type {Map<string, number>} */
  const sizes = new Map();
  const sizeOf = (/** @type {string} */ file) => {
    const size = sizes.get(file) ?? gzipSync(readFileSync(join(build, file))).length;
    sizes.set(file, size);
    return size;
  };
  const manifests = readdirSync(join(build, 'server/app'), { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => posix.basename(file) === SUFFIX);
  return new Map(
    manifests.sort().map((file) => {
      /** @type {{ __RSC_MANIFEST?: Record<string, { entryJSFiles: Record<string, string[]> }> }} */
      const context = {};
      runInNewContext(read(`server/app/${file}`), { globalThis: context });
      if (!context.__RSC_MANIFEST) throw new Error(`${file} has another form than expected.`);
      const scripts = Object.values(context.__RSC_MANIFEST).flatMap(({ entryJSFiles }) => Object.values(entryJSFiles));
      const loaded = new Set([...rootMainFiles, ...scripts.flat()]);
      const weight = [...loaded].reduce((sum, script) => sum + sizeOf(script), 0);
      return [posix.join(posix.dirname(file), 'page'), weight];
    }),
  );
}
