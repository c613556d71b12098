// @ts-check
import { get } from 'node:http';
import { sleep } from '../notes.mjs';
import { Refusal } from '../steps.mjs';

const PATIENCE_MS = 60_000;
const MANY_ENDS = 4;

/**
 * Waits until the web process reports that it is ready. Another program at its address does not count.
 * @param {{ host: string, port: number }} address
 * @param {{ ends: () => number, isServing: () => boolean }} web
 * @param {{ ends: () => number }[]} [others] give up early if one of them, or web, ends repeatedly
 */
export async function untilReady(address, web, others = []) {
  const url = `${urlOf(address)}/api/ready`;
  let last = 'no answer';
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(100)) {
    if ([web, ...others].some((child) => child.ends() >= MANY_ENDS)) break;
    if (!web.isServing()) continue;
    try {
      const status = await statusOf(url);
      if (status === 200) return;
      last = `status ${status}`;
    } catch {
      last = 'no answer';
    }
  }
  throw new Refusal(`Upwatch did not become ready (${url}: ${last}): see the lines above.`);
}

/**
 * Requests a URL, and returns the status of the response. Does not use `fetch`, because the start script would keep its client in memory.
 * @param {string} url
 * @returns {Promise<number | undefined>}
 */
export function statusOf(url) {
  return new Promise((resolve, reject) => {
    const request = get(url, { agent: false, signal: AbortSignal.timeout(5_000) }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode));
    });
    request.once('error', reject);
  });
}

/**
 * Waits until a process reports that it serves.
 * @param {string} name
 * @param {{ ends: () => number, isServing: () => boolean }} child
 */
export async function untilServing(name, child) {
  for (const deadline = performance.now() + PATIENCE_MS; performance.now() < deadline; await sleep(50)) {
    if (child.isServing()) return;
    if (child.ends() >= MANY_ENDS) break;
  }
  throw new Refusal(`The ${name} did not start: see the lines above.`);
}

/**
 * Returns the URL at which this machine reaches a server that listens on an address.
 * @param {{ host: string, port: number }} address
 */
export function urlOf({ host, port }) {
  if (host === '0.0.0.0') return `http://127.0.0.1:${port}`;
  if (host === '::') return `http://[::1]:${port}`;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
