// @ts-check
import { randomBytes } from 'node:crypto';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statfsSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { Refusal } from '../steps.mjs';

const MEGABYTE = 1024 * 1024;
/** The size of a new database, with room to grow. */
const ROOM_FOR_NEW = 200;
const ROOM_FOR_MORE = 20;

/**
 * Creates the data directory if needed and verifies that it is writable.
 * @param {string} directory
 */
export function openDataDir(directory) {
  const isNew = !existsSync(directory);
  try {
    mkdirSync(directory, { recursive: true, mode: 0o711 });
    assertWritable(directory);
    assertRoom(directory);
  } catch (error) {
    if (isNew && existsSync(directory)) rmdirSync(directory);
    throw error instanceof Refusal ? error : new Refusal(whyNot(directory, error));
  }
}

/** @param {string} directory */
function assertWritable(directory) {
  const probe = join(directory, `.probe-${process.pid}`);
  try {
    writeFileSync(probe, 'can be written');
  } finally {
    rmSync(probe, { force: true });
  }
}

/** @param {string} directory */
function assertRoom(directory) {
  const { bavail, bsize } = statfsSync(directory);
  const free = Math.floor((bavail * bsize) / MEGABYTE);
  const needed = existsSync(join(directory, 'postgres')) ? ROOM_FOR_MORE : ROOM_FOR_NEW;
  if (free >= needed) return;
  throw new Refusal(
    `Not enough disk space for DATA_DIR, ${directory}: ${free} MB are free, and ${needed} MB are required.`,
  );
}

/**
 * @param {string} directory
 * @param {unknown} error
 */
function whyNot(directory, error) {
  const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
  if (code === 'ENOSPC') return `There is no space left for DATA_DIR, ${directory}.`;
  return `DATA_DIR, ${directory}, cannot be written (${code ?? message}).`;
}

/**
 * Returns a random secret that is generated once and kept in a file. The file is written atomically, and only its owner can read it.
 * @param {string} directory
 * @param {string} name of the file
 */
export function keptSecret(directory, name) {
  const path = join(directory, name);
  if (!existsSync(path)) {
    const fresh = `${path}.${process.pid}`;
    writeFileSync(fresh, randomBytes(48).toString('base64url'), { mode: 0o600, flush: true });
    linkSync(fresh, path);
    unlinkSync(fresh);
  }
  const secret = readFileSync(path, 'utf8').trim();
  if (secret.length < 16) throw new Refusal(`${path} contains no secret: restore the previous file.`);
  return secret;
}
