// @ts-check
import autocannon from 'autocannon';

const CONNECTIONS = 10;
const WARM_UP_SECONDS = 3;
const SECONDS = 10;

/** @typedef {{ name: string, perSecond: number, p50: number, p99: number, failed: number }} Figures */

/**
 * Sends one request over and over from ten connections: three seconds to warm up, ten that count.
 * @param {string} name
 * @param {{ url: string, method?: 'GET' | 'POST', headers?: Record<string, string>, body?: string }} request
 * @returns {Promise<Figures>} requests in a second, and milliseconds
 */
export async function measure(name, request) {
  await autocannon({ ...request, connections: CONNECTIONS, duration: WARM_UP_SECONDS });
  const { requests, latency, non2xx, errors } = await autocannon({
    ...request,
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  return { name, perSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors };
}

/**
 * @param {Figures[]} rows
 * @param {number} whole requests in a second that count as 100 %
 */
export function printTable(rows, whole) {
  const line = (/** @type {string[]} */ cells) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(28) : cell.padStart(10))).join(''));
  line(['', 'req/s', 'p50 ms', 'p99 ms', 'of bare', 'failed']);
  for (const { name, perSecond, p50, p99, failed } of rows) {
    const share = `${Math.round((perSecond / whole) * 100)} %`;
    line([name, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), share, String(failed)]);
  }
}
