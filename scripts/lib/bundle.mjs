// @ts-check
import { BUILD } from './stamps.mjs';

/** What browsers load of the public status pages. */
const STATUS_FILES = ['app/status/_browser/main.ts', 'app/status/status.css'];

/**
 * How esbuild makes one file that Node runs from a TypeScript entry; packages stay where they are installed.
 * @param {Record<string, string>} entryPoints
 * @returns {import('esbuild').BuildOptions}
 */
export function bundleOptions(entryPoints) {
  return {
    entryPoints,
    outdir: BUILD,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'linked',
    logLevel: 'silent',
    // The marker package throws outside of a React server bundle, and there is no browser here to guard.
    alias: { 'server-only': './node_modules/server-only/empty.js' },
  };
}

/**
 * Makes the bundles. Called in a process of its own (apart.mjs): esbuild's service runs for as long as who started it.
 * @param {Record<string, string>} entryPoints
 * @param {string} [version] what server/platform/version.ts gives
 */
export async function bundle(entryPoints, version) {
  const { build } = await import('esbuild');
  const define = version ? { UPWATCH_VERSION: JSON.stringify(version) } : {};
  await build({ ...bundleOptions(entryPoints), define });
}

/** Makes the script and the style of the public status pages, in a process of its own as well. */
export async function bundleForBrowsers() {
  const { build } = await import('esbuild');
  await build({
    entryPoints: STATUS_FILES,
    entryNames: '[name]',
    outdir: `${BUILD}/status`,
    bundle: true,
    minify: true,
    platform: 'browser',
    format: 'iife',
    target: 'es2022',
    external: ['/status/assets/*'],
    logLevel: 'silent',
  });
}
