// @ts-check
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** The folder of build outputs, separate from Next's own. */
export const BUILD = '.build';

/** The file with the version of what was built, which server/platform/version.ts reads as well. */
export const VERSION = `${BUILD}/version`;

/** The OpenAPI document: its base URL in the first line, which server/api/openapi/serve.ts replaces by that of the instance. */
export const DOCUMENT = `${BUILD}/openapi.txt`;

/** The release folder that `npm run build` makes. */
export const DIST = 'dist';

/** Exists in a release folder, which is complete: nothing in it is installed or built. */
export const RELEASE = `${BUILD}/release.json`;

export const isRelease = () => existsSync(RELEASE);

/**
 * Runs `work` unless it was done for the same `print` and its outputs exist. Only a successful end is recorded: interrupted work is repeated.
 * @param {string} name
 * @param {string} print
 * @param {string[]} products
 * @param {() => Promise<unknown>} work
 * @param {string} [folder] of the records
 * @returns {Promise<boolean>} whether it ran now
 */
export async function once(name, print, products, work, folder = BUILD) {
  const stamp = `${folder}/${name}.stamp`;
  const isDone = existsSync(stamp) && readFileSync(stamp, 'utf8') === print;
  if (isDone && products.every((path) => existsSync(path))) return false;
  mkdirSync(folder, { recursive: true });
  rmSync(stamp, { force: true });
  await work();
  writeFileSync(`${stamp}.new`, print);
  renameSync(`${stamp}.new`, stamp);
  return true;
}
