// @ts-check
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';

/** Where what is made from the sources is kept, apart from Next's own folder. */
export const BUILD = '.build';

/**
 * Does `work` unless it was done for the same `print` before and its products are still there. It counts as done only
 * once it has ended well: one that was interrupted is done again.
 * @param {string} name
 * @param {string} print
 * @param {string[]} products
 * @param {() => Promise<unknown>} work
 * @param {string} [folder] where it is remembered
 * @returns {Promise<boolean>} whether it was done now
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
