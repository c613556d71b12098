// @ts-check
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { BUILD, DOCUMENT } from './stamps.mjs';

/** The browser files of the public status pages. */
const STATUS_FILES = ['app/status/_browser/main.ts', 'app/status/status.css'];

/** Packages of plain JavaScript that processes load when they start: as part of a bundle, they take a third of the time. */
const BUNDLED = new Set([
  '@prisma/adapter-pg',
  'croner',
  'dns-packet',
  'entities',
  'fastest-levenshtein',
  'ipaddr.js',
  'json-p3',
  'markdown-it',
  'pg',
  're2js',
  'temporal-polyfill',
  'ulid',
  'web-push',
  'zod',
]);

/** Bundled packages that are CommonJS modules load Node's own modules with it. */
const REQUIRE =
  "import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);";

/** Returns the names of the packages that Node loads from node_modules. */
function externalPackages() {
  const { dependencies, devDependencies } = JSON.parse(readFileSync('package.json', 'utf8'));
  const names = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => !BUNDLED.has(name));
  return names.flatMap((name) => [name, `${name}/*`]);
}

/**
 * Returns the esbuild options for one Node file from a TypeScript entry, with the packages of `BUNDLED`.
 * @param {Record<string, string>} entryPoints
 * @returns {import('esbuild').BuildOptions}
 */
export function bundleOptions(entryPoints) {
  return {
    entryPoints,
    outdir: BUILD,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    external: externalPackages(),
    banner: { js: REQUIRE },
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    sourcemap: 'linked',
    // A process reads the map when it starts; positions suffice.
    sourcesContent: false,
    logLevel: 'silent',
    // The marker package throws outside of React server bundles. This bundle is not for clients either.
    alias: { 'server-only': './node_modules/server-only/empty.js' },
  };
}

/**
 * Creates the bundles. Called in its own process (apart.mjs), because esbuild's service runs as long as its parent.
 * @param {Record<string, string>} entryPoints
 */
export async function bundle(entryPoints) {
  const { build } = await import('esbuild');
  await build(bundleOptions(entryPoints));
}

/** Makes the OpenAPI document, which takes 0.7 s of CPU time. In its own process as well, because that loads every procedure. */
export async function writeDocument() {
  const baseUrl = 'https://instance.invalid';
  process.env.APP_URL = baseUrl;
  await bundle({ openapi: 'server/api/openapi/document.ts' });
  const { openApiDocument } = await import(pathToFileURL(resolve(`${BUILD}/openapi.mjs`)).href);
  writeFileSync(DOCUMENT, `${baseUrl}\n${JSON.stringify(openApiDocument())}`);
  for (const name of ['openapi.mjs', 'openapi.mjs.map']) rmSync(`${BUILD}/${name}`);
}

/** Bundles the script and the style of the public status pages, in its own process as well. */
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
