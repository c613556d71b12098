// @ts-check
// The minimum cost of a check: Node's http.get without keep-alive, at a fixed rate.
import http from 'node:http';

const [url = '', rate = '', seconds = ''] = process.argv.slice(2);
const WARM_UP_SECONDS = 5;

const get = () =>
  new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, (response) => {
      response.resume();
      response.once('end', () => resolve(null));
    });
    request.once('error', reject);
  });

/** @param {number} count */
async function loop(count) {
  const began = performance.now();
  const all = [];
  for (let index = 0; index < count; index += 1) {
    const wait = began + (index * 1000) / Number(rate) - performance.now();
    if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait));
    all.push(get());
  }
  await Promise.all(all);
}

await loop(WARM_UP_SECONDS * Number(rate));
const before = process.cpuUsage();
const count = Number(seconds) * Number(rate);
await loop(count);
const { user, system } = process.cpuUsage(before);
process.send?.({ cpuSeconds: (user + system) / 1e6, count });
process.disconnect?.();
