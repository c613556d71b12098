// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** What tools make inside of the folders of the sources. */
const MADE = new Set(['node_modules', 'generated', '.next', '.build', '.DS_Store']);

/**
 * A text that changes when any file at or under `paths` does, by name or content. A path that does not exist counts.
 * @param {string[]} paths
 * @param {string[]} [facts] that count as well
 */
export function fingerprint(paths, facts = []) {
  const hash = createHash('sha256').update(JSON.stringify(facts));
  for (const path of paths) add(hash, path);
  return hash.digest('hex');
}

/**
 * @param {import('node:crypto').Hash} hash
 * @param {string} path
 */
function add(hash, path) {
  hash.update(`\0${path}\0`);
  if (!existsSync(path)) return;
  if (!statSync(path).isDirectory()) return void hash.update(readFileSync(path));
  for (const name of readdirSync(path).sort()) if (!MADE.has(name)) add(hash, join(path, name));
}
