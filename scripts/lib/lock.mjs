// @ts-check
import { createHash } from 'node:crypto';
import { realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * Holds a lock on a directory for the lifetime of this process: a socket that only one process can listen on. The system releases it however the
 * process ends, so there are no stale locks.
 * @param {string} directory that exists
 * @param {string} purpose a directory has one lock for each purpose
 * @returns {Promise<(() => void) | null>} releases it; null if another process holds it
 */
export async function lock(directory, purpose) {
  const address = addressOf(directory, purpose);
  const server = await listen(address);
  if (server) return () => void server.close();
  if (process.platform === 'linux' || process.platform === 'win32' || (await isAlive(address))) return null;
  // On other systems the socket is a file, which a killed process leaves behind.
  unlinkSync(address);
  const second = await listen(address);
  return second && (() => void second.close());
}

/**
 * Returns the address of a lock: on Linux a name in the abstract namespace, on Windows a pipe, elsewhere a file with a short path.
 * @param {string} directory
 * @param {string} purpose
 */
function addressOf(directory, purpose) {
  const id = createHash('sha256')
    .update(`${realpathSync(directory)}\0${purpose}`)
    .digest('hex')
    .slice(0, 32);
  if (process.platform === 'linux') return `\0upwatch-${id}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\upwatch-${id}`;
  return join(tmpdir(), `upwatch-${id}.sock`);
}

/**
 * @param {string} address
 * @returns {Promise<import('node:net').Server | null>}
 */
function listen(address) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (/** @type {NodeJS.ErrnoException} */ error) =>
      error.code === 'EADDRINUSE' ? resolve(null) : reject(error),
    );
    server.listen(address, () => {
      server.unref();
      resolve(server);
    });
  });
}

/**
 * @param {string} address
 * @returns {Promise<boolean>}
 */
function isAlive(address) {
  return new Promise((resolve) => {
    const socket = connect(address, () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
