// @ts-check
import { availableParallelism } from 'node:os';
import { generate } from './build/build.mjs';
import { isInstalled } from './install.mjs';
import { say } from './notes.mjs';
import { behind, quietly } from './processes/command.mjs';
import { Refusal, seconds, step } from './steps.mjs';

/** @param {string} name */
const tool = (name) => (process.platform === 'win32' ? `node_modules\\.bin\\${name}.cmd` : `node_modules/.bin/${name}`);

/** @type {typeof behind} */
const asIs = (file, args) => [file, args];

/** Each checker computes the types that its files share with others again, so more of them than cores only take time. */
const checkers = String(Math.min(4, availableParallelism()));

/** @type {[name: string, what: string, file: string, args: string[]][]} */
const CHECKS = [
  [
    'Format and lint',
    'biome check',
    tool('biome'),
    ['check', '--error-on-warnings', '--max-diagnostics=100', '--colors=off', '.'],
  ],
  ['Types', 'tsc', tool('tsc'), ['--project', 'tsconfig.check.json', '--pretty', 'false', '--checkers', checkers]],
  ['Who imports whom', 'check-imports', process.execPath, ['scripts/check-imports.mjs']],
  ['Dead code', 'knip', tool('knip'), ['--no-progress', '--no-config-hints']],
];

/**
 * Checks format, lint, types, imports and dead code in parallel. Throws an error with what they found.
 * @param {boolean} [isBehind] whether other processes that run meanwhile go first
 * @returns {Promise<void>}
 */
export async function check(isBehind = false) {
  if (!isInstalled()) throw new Refusal('The dependencies do not match package-lock.json: run "npm ci".');
  await step('Generated code', async () => {
    await generate();
    await quietly('next typegen', process.execPath, ['node_modules/next/dist/bin/next', 'typegen']);
  });
  /** @type {Refusal[]} */
  const failures = [];
  const started = performance.now();
  await Promise.all(
    CHECKS.map(async ([name, what, file, args]) => {
      const isWell = await quietly(what, ...(isBehind ? behind(file, args) : asIs(file, args))).then(
        () => true,
        (error) => void failures.push(error),
      );
      say(`${name} … ${isWell ? seconds(started) : 'failed'}`);
    }),
  );
  if (failures.length === 0) return;
  const details = failures.map((failure) => failure.details || failure.message).join('\n\n');
  throw new Refusal(`${failures.length} of ${CHECKS.length} checks failed.`, details);
}
