// @ts-check
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The error of PostgreSQL's programs for a user ID without a name, such as a container's arbitrary one. */
export const NAMELESS = /could not look up effective user ID/;

/**
 * Copies initdb, and postgres, which it runs, for a user ID without a name. Both look up the name and exit without one, although they do not use it
 * with `--username`. The copies call `getpwent`, which returns the first user's name, instead of `getpwuid`; both names have the same length, so only
 * these bytes differ.
 * @param {string} initdb
 * @param {string} folder to create, on a file system that allows running programs
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
