// @ts-check
import autocannon from 'autocannon';

const CONNECTIONS = 10;
const ROUNDS = 5;
const SECONDS = 3;

/** @typedef {{ url: string, method?: 'GET' | 'POST', headers?: Record<string, string>, body?: string }} Target */
/** @typedef {{ perSecond: number, p50: number, p99: number, failed: number }} Figures */

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

/**
 * Sends each request over and over from ten connections, three seconds at a time and in turns, so that what else the
 * machine does meets all of them alike. The first round warms up; the figures are the medians of the five that follow.
 * @param {Record<string, Target>} targets
 * @returns {Promise<Map<string, Figures>>} requests in a second, and milliseconds
 */
export async function measure(targets) {
  /** @type {Map<string, Figures[]>} */
  const rounds = new Map(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, target] of Object.entries(targets)) {
      const { requests, latency, non2xx, errors } = await autocannon({
        ...target,
        connections: CONNECTIONS,
        duration: SECONDS,
      });
      if (round === 0) continue;
      const figures = { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors };
      rounds.get(name)?.push(figures);
    }
  }
  return new Map(
    [...rounds].map(([name, all]) => [
      name,
      {
        perSecond: median(all.map(({ perSecond }) => perSecond)),
        p50: median(all.map(({ p50 }) => p50)),
        p99: median(all.map(({ p99 }) => p99)),
        failed: all.reduce((sum, { failed }) => sum + failed, 0),
      },
    ]),
  );
}

/**
 * @param {Map<string, Figures>} figures
 * @param {string} whole which of them counts as 100 %
 */
export function printTable(figures, whole) {
  const base = figures.get(whole)?.perSecond ?? Number.NaN;
  const line = (/** @type {string[]} */ cells) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(28) : cell.padStart(10))).join(''));
  line(['', 'req/s', 'p50 ms', 'p99 ms', 'share', 'failed']);
  for (const [name, { perSecond, p50, p99, failed }] of figures) {
    const share = `${Math.round((perSecond / base) * 100)} %`;
    line([name, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1), share, String(failed)]);
  }
}
