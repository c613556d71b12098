// @ts-check
import autocannon from 'autocannon';

const CONNECTIONS = 10;
const ROUNDS = 7;
const SECONDS = 2;

/** @typedef {{ url: string, method?: 'GET' | 'POST', headers?: Record<string, string>, body?: string }} Target */
/** @typedef {{ perSecond: number, p50: number, p99: number, failed: number }} Figures */
/** @typedef {Figures & { share: number }} Compared `share` is of the whole, 1 being as many requests in a second */

/** @param {number[]} values */
function median(values) {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/**
 * @param {Figures[]} all
 * @returns {Figures} the medians, and the total number of failures
 */
function summary(all) {
  return {
    perSecond: median(all.map(({ perSecond }) => perSecond)),
    p50: median(all.map(({ p50 }) => p50)),
    p99: median(all.map(({ p99 }) => p99)),
    failed: all.reduce((sum, { failed }) => sum + failed, 0),
  };
}

/**
 * @param {Target} target
 * @returns {Promise<Figures>} requests/s, and milliseconds
 */
async function send(target) {
  const { requests, latency, non2xx, errors, ...statuses } = await autocannon({
    ...target,
    connections: CONNECTIONS,
    duration: SECONDS,
  });
  return { perSecond: requests.average, p50: latency.p50, p99: latency.p99, failed: non2xx - statuses['3xx'] + errors };
}

/**
 * Sends each request from ten connections for 2 s, each right after the reference it is compared with, so that other load on the machine affects both
 * alike. The first round warms up; the figures are medians of the next seven, and the ratio is the median of adjacent pairs.
 * @param {Target} whole
 * @param {Record<string, Target>} targets
 * @returns {Promise<{ whole: Figures, targets: Map<string, Compared & { lowest: number, highest: number }> }>}
 */
export async function compare(whole, targets) {
  /** @type {Figures[]} */
  const wholes = [];
  /** @type {Map<string, Compared[]>} */
  const rounds = new Map(Object.keys(targets).map((name) => [name, []]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [name, target] of Object.entries(targets)) {
      const before = await send(whole);
      const figures = await send(target);
      if (round === 0) continue;
      wholes.push(before);
      rounds.get(name)?.push({ ...figures, share: figures.perSecond / before.perSecond });
    }
  }
  const compared = [...rounds].map(([name, all]) => {
    const shares = all.map(({ share }) => share);
    const spread = { share: median(shares), lowest: Math.min(...shares), highest: Math.max(...shares) };
    return /** @type {const} */ ([name, { ...summary(all), ...spread }]);
  });
  return { whole: summary(wholes), targets: new Map(compared) };
}

/**
 * @param {string} name of the reference
 * @param {Awaited<ReturnType<typeof compare>>} figures
 */
export function printTable(name, { whole, targets }) {
  const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;
  const line = (/** @type {string[]} */ cells) =>
    console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(28) : cell.padStart(10))).join(''));
  const row = (/** @type {Figures} */ { perSecond, p50, p99, failed }) => [
    perSecond.toFixed(0),
    p50.toFixed(1),
    p99.toFixed(1),
    String(failed),
  ];
  line(['', 'req/s', 'p50 ms', 'p99 ms', 'failed', 'share', 'lowest', 'highest']);
  line([name, ...row(whole)]);
  for (const [target, figures] of targets) {
    const { share, lowest, highest } = figures;
    line([target, ...row(figures), percent(share), percent(lowest), percent(highest)]);
  }
}
