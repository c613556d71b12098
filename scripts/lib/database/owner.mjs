// @ts-check
import { accessSync, chmodSync, constants, lchownSync, lstatSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../steps.mjs';

/** @typedef {{ uid: number, gid: number }} Owner */

/**
 * Returns the user that owns a data directory, or the database in it; null if root owns both, or if they do not exist.
 * @param {string} dataDir
 * @returns {Owner | null}
 */
export function ownerOf(dataDir) {
  for (const path of [dataDir, join(dataDir, 'postgres')]) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found && found.uid !== 0) return { uid: found.uid, gid: found.gid };
  }
  return null;
}

/**
 * Makes everything under a data directory usable by this user and its owner. Root gives everything to the directory's owner, so that the owner can
 * start on it too. Other users cannot change owners, so files of others are reported as an error.
 * @param {string} dataDir
 */
export function mendOwner(dataDir) {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const { uid: owner, gid } = statSync(dataDir);
  if (uid === 0 && owner !== 0) giveTo(dataDir, { uid: owner, gid });
  if (uid !== 0) assertUsableBy(uid, dataDir);
  const database = join(dataDir, 'postgres');
  const found = statSync(database, { throwIfNoEntry: false });
  // PostgreSQL rejects a directory that its group can write, as Kubernetes creates for volumes with fsGroup.
  if (found && (uid === 0 || uid === found.uid) && (found.mode & 0o022) !== 0) chmodSync(database, 0o700);
}

/**
 * Changes the owner of everything under a directory, and of the directory. Only for root.
 * @param {string} directory
 * @param {Owner} owner
 */
export function giveTo(directory, { uid, gid }) {
  for (const path of walk(directory)) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (!found || found.uid === uid) continue;
    try {
      lchownSync(path, uid, gid);
    } catch (error) {
      const { code } = /** @type {NodeJS.ErrnoException} */ (error);
      throw new Refusal(`${path} belongs to user ID ${found.uid} and cannot be given to ${uid} (${code}).`);
    }
  }
}

/**
 * @param {number} uid
 * @param {string} dataDir
 */
function assertUsableBy(uid, dataDir) {
  const database = join(dataDir, 'postgres');
  const isUsable = (/** @type {string} */ path) =>
    path.startsWith(database) ? lstatSync(path).uid === uid : isAccessible(path);
  const alien = walk(dataDir).find((path) => !isUsable(path));
  if (alien === undefined) return;
  const own = `${uid}:${process.getgid?.() ?? uid}`;
  throw new Refusal(
    `${alien} belongs to user ID ${lstatSync(alien).uid}, and this start runs as user ID ${uid}: start as that user or as root, or run "chown -R ${own} ${dataDir}" as root.`,
  );
}

/** @param {string} path */
function isAccessible(path) {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/**
 * Lists a directory and everything readable under it. Does not follow symbolic links.
 * @param {string} path
 * @returns {string[]}
 */
function walk(path) {
  /** @type {import('node:fs').Dirent[]} */
  let entries = [];
  try {
    entries = readdirSync(path, { withFileTypes: true });
  } catch {
    // Belongs to another user. The caller compares the owner.
  }
  return [
    path,
    ...entries.flatMap((entry) => {
      const inner = join(path, entry.name);
      return entry.isDirectory() ? walk(inner) : [inner];
    }),
  ];
}
