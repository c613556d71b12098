// @ts-check
// How well verdicts fit the truth: generated traces through our rules.

import { Refusal } from '../lib/steps.mjs';
import { ended, helper } from './checks/stand.mjs';

/**
 * `npm run bench -- verdicts [seed] [interval] [repeats] [family]`: prints a table for each family of traces. Tune on one
 * seed and report on another. Needs neither a database nor a build.
 */
export async function run() {
  const [seed = '1', interval = '60', repeats = '1', family = ''] = process.argv.slice(3);
  for (const number of [seed, interval, repeats]) {
    if (!(Number(number) > 0))
      throw new Refusal('Give numbers: npm run bench -- verdicts [seed] [interval in s] [repeats] [family]');
  }
  const replay = helper('../verdicts/run.ts', [seed, interval, repeats, family]);
  await ended(replay);
  if (replay.exitCode !== 0) throw new Error('The replay failed.');
}
