// @ts-check
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The role of a start, whether each of its processes serves, and the web process's URL. @typedef {{ role: string, url?: string, web?: boolean, worker?: boolean }} Status */

const PATIENCE_MS = 3_000;

/**
 * Returns the address at which the start script of a data directory reports its status: an abstract socket, which belongs to the container, a pipe,
 * or a file.
 * @param {string} dataDir
 */
function addressOf(dataDir) {
  const id = createHash('sha256').update(dataDir).digest('hex').slice(0, 32);
  if (process.platform === 'linux') return `\0upwatch-status-${id}`;
  if (process.platform === 'win32') return `\\\\.\\pipe\\upwatch-status-${id}`;
  return join(tmpdir(), `upwatch-status-${id}.sock`);
}

/**
 * Reports the status of this start to `upwatch health`. Several starts may share a data directory; the first one reports.
 * @param {string} dataDir
 * @param {() => Status} read
 * @returns {() => void} stops reporting
 */
export function reportStatus(dataDir, read) {
  const address = addressOf(dataDir);
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.end(JSON.stringify(read()));
  });
  server.on('error', () => undefined);
  if (address.endsWith('.sock')) rmSync(address, { force: true });
  server.listen(address);
  server.unref();
  return () => void server.close();
}

/**
 * Reads the status that the start on a data directory reports; null if none runs.
 * @param {string} dataDir
 * @returns {Promise<Status | null>}
 */
export async function readStatus(dataDir) {
  const socket = connect(addressOf(dataDir));
  socket.setTimeout(PATIENCE_MS, () => socket.destroy(new Error('The start script does not respond.')));
  try {
    return JSON.parse(await text(socket));
  } catch {
    return null;
  }
}
