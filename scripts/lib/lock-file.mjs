// @ts-check
import { spawnSync } from 'node:child_process';
import { closeSync, constants, fstatSync, openSync, statSync, unlinkSync } from 'node:fs';
import { sleep } from './notes.mjs';
import { Refusal } from './steps.mjs';

const { O_CREAT, O_NONBLOCK, O_RDWR } = constants;
/** Flags of `open` that lock, by platform. Node has no names for them: O_EXLOCK of macOS, and libuv's flag for an exclusive share mode. */
const LOCKING = new Map([
  ['darwin', 0x20 | O_NONBLOCK],
  ['win32', 0x10000000],
]);
const TRY_EVERY_MS = 500;

/**
 * @typedef {object} FileLock
 * @property {number} fd a child that is given it holds the lock as well
 * @property {() => void} release deletes the file too
 */

/**
 * Takes an exclusive lock on a file, which is created if it is missing. The lock belongs to the open file: it holds across network, PID and mount
 * namespaces, and the system releases it when this process and every child with the same open file have ended, however they end.
 * @param {string} path in a directory that exists
 * @returns {FileLock | null} null if another process holds it
 */
export function lockFile(path) {
  for (;;) {
    const fd = openLocked(path);
    if (fd === null) return null;
    if (isFile(path, fd)) return { fd, release: () => release(path, fd) };
    // Its last holder deleted the file before this lock was taken.
    closeSync(fd);
  }
}

/**
 * Waits for a lock.
 * @param {string} path
 * @param {{ patienceMs: number, onWait: () => void }} options `onWait` is called once, if another process holds it
 * @returns {Promise<FileLock | null>} null if another process still holds it after `patienceMs`
 */
export async function untilLocked(path, { patienceMs, onWait }) {
  const end = performance.now() + patienceMs;
  for (let isFirst = true; ; isFirst = false) {
    const held = lockFile(path);
    if (held || performance.now() > end) return held;
    if (isFirst) onWait();
    await sleep(TRY_EVERY_MS);
  }
}

/** @param {string} path */
function openLocked(path) {
  const locking = LOCKING.get(process.platform);
  try {
    const fd = openSync(path, O_RDWR | O_CREAT | (locking ?? 0), 0o600);
    if (locking !== undefined || flock(path, fd)) return fd;
    closeSync(fd);
    return null;
  } catch (error) {
    const { code = '' } = /** @type {NodeJS.ErrnoException} */ (error);
    if (locking !== undefined && ['EAGAIN', 'EBUSY'].includes(code)) return null;
    throw error;
  }
}

/**
 * Locks the open file by a program that shares it and ends at once: Node cannot.
 * @param {string} path
 * @param {number} fd
 */
function flock(path, fd) {
  const { status, error, stderr } = spawnSync('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', fd] });
  if (status === 0 || status === 1) return status === 0;
  closeSync(fd);
  const reason = error ? 'this system has no flock program: install util-linux' : String(stderr).trim();
  throw new Refusal(`${path} cannot be locked (${reason}).`);
}

/**
 * @param {string} path
 * @param {number} fd
 */
function isFile(path, fd) {
  return statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(fd).ino;
}

/**
 * @param {string} path
 * @param {number} fd
 */
function release(path, fd) {
  try {
    unlinkSync(path);
  } catch {
    // Windows keeps an open file, and a directory may be gone.
  }
  closeSync(fd);
}
