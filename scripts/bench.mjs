// @ts-check
// npm run bench -- <name>: measures the running product and prints figures, without pass or fail.
import { fileURLToPath } from 'node:url';
import { Refusal, runMain } from './lib/steps.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** @type {Record<string, () => Promise<{ run: () => Promise<void> }>>} */
const benches = {
  rest: () => import('./bench/rest.mjs'),
  checks: () => import('./bench/checks.mjs'),
  'connection-tests': () => import('./bench/connection-tests.mjs'),
  outage: () => import('./bench/outage.mjs'),
  alerts: () => import('./bench/alerts.mjs'),
  history: () => import('./bench/history.mjs'),
  'status-page': () => import('./bench/status-page.mjs'),
  neighbours: () => import('./bench/neighbours.mjs'),
  memory: () => import('./bench/memory.mjs'),
  verdicts: () => import('./bench/verdicts.mjs'),
};

await runMain(async () => {
  const name = process.argv[2] ?? '';
  const load = Object.hasOwn(benches, name) ? benches[name] : undefined;
  if (!load) throw new Refusal(`Choose a benchmark: npm run bench -- ${Object.keys(benches).join(' | ')}`);
  const { run } = await load();
  await run();
});
