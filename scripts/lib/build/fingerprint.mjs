// @ts-check
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** Files that tools create in the source folders. */
const MADE = new Set(['node_modules', 'generated', '.next', '.build', '.DS_Store']);

/**
 * Calculates a fingerprint that changes with the name or content of any file at or under `paths`. A missing path counts.
 * @param {string[]} paths
 * @param {string[]} [facts] additional input
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
