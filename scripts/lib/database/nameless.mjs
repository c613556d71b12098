// @ts-check
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The error of PostgreSQL's programs for a user ID without a name, such as a container's arbitrary one. */
export const NAMELESS = /could not look up effective user ID/;

/**
 * Copies of initdb, and of postgres, which it runs, that need no name of their user. Both look the name up and exit without one, although they do
 * not use it if `--username` is given. The copies call `getpwent`, which returns the first user's name, where the originals call `getpwuid`: the
 * names have the same length, so a copy differs in these bytes only.
 * @param {string} initdb
 * @param {string} folder to create, from which programs may be run
 * @returns {string} the path of the copy of initdb
 */
export function namelessInitdb(initdb, folder) {
  const home = dirname(dirname(initdb));
  mkdirSync(join(folder, 'bin'), { recursive: true });
  for (const name of ['lib', 'share']) symlinkSync(join(home, name), join(folder, name));
  for (const name of [basename(initdb), 'postgres']) {
    const copy = join(folder, 'bin', name);
    const bytes = readFileSync(join(dirname(initdb), name));
    const at = bytes.indexOf('\0getpwuid\0');
    if (at >= 0) bytes.write('getpwent', at + 1);
    writeFileSync(copy, bytes);
    chmodSync(copy, 0o755);
  }
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'bin'), 0o755);
  return join(folder, 'bin', basename(initdb));
}
