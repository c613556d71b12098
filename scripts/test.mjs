// @ts-check
// npm test: all tests, from a fresh clone. "npm test -- unit e2e" runs some of them.
// npm run test:nightly: the suites that have long forms, in these forms. npm run test:quick: the tests that matter for the current change.
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBrowser } from './lib/browser.mjs';
import { check } from './lib/checks.mjs';
import { assertNode } from './lib/install.mjs';
import { alone, bundles, dependencies, web } from './lib/prepare.mjs';
import { complain, Refusal, runMain, seconds, step } from './lib/steps.mjs';
import { NOT_RUN, runMutations, runPlaywright, runVitest } from './lib/suites.mjs';

const SUITES = ['unit', 'integration', 'contract', 'hostile', 'fault', 'e2e', 'mutations'];
const ALL = ['check', ...SUITES];
/** Suites that run the built product. */
const NEED_BUILD = new Set(['hostile', 'fault', 'e2e']);
/** Suites that measure nothing, so they run at the same time. */
const TOGETHER = ['unit', 'integration', 'contract'];
/** Leaves half of the CPU, and tolerates what runs behind it. */
const BESIDE = 'hostile';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** Suites with tests that repeat or cover more if NIGHTLY=1. */
const HAVE_LONG_FORMS = ['unit', 'integration', 'hostile', 'fault', 'e2e'];
/** Tests the tests themselves, which a change of the product rarely weakens. */
const NIGHTLY_ONLY = 'mutations';
const QUICK = ['check', 'unit', 'integration'];
/** How many of the slowest files are printed for each suite. */
const SLOWEST = 5;

/** Names a data directory, which the first suite that starts the product creates for all. Deleted at the end. */
function shareData() {
  const folder = mkdtempSync(join(tmpdir(), 'upwatch-tests-'));
  // For PostgreSQL's own user
  chmodSync(folder, 0o755);
  process.env.PREPARED_DATA_DIR = join(folder, 'data');
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
}

/**
 * Runs suites at the same time.
 * @param {string[]} suites
 * @param {{ files?: string[], isBehind?: boolean }} options of `runVitest`
 * @returns {Promise<Map<string, import('./lib/suites.mjs').Result>>} by suite
 */
async function runSuites(suites, options) {
  const [suite = ''] = suites;
  if (suite === NIGHTLY_ONLY) return new Map([[suite, await runMutations()]]);
  if (suite !== 'e2e') return runVitest(suites, options);
  const browser = await step('Finding a browser', findBrowser).catch((error) => void complain(error));
  return new Map([[suite, browser ? await runPlaywright(browser) : NOT_RUN]]);
}

/**
 * Returns the test files of a suite for the quick run; undefined for all. They are chosen by a parser that is installed with the other packages.
 * @param {string} suite
 */
async function chooseFiles(suite) {
  const { changedFiles, quickFiles } = await import('./lib/quick.mjs');
  const { files, leftOut } = quickFiles(suite, { changed: await changedFiles() });
  console.log(`${suite}: ${files.length} files touched by the change; left out because they take too long: ${leftOut}`);
  return files;
}

const isDone = () => true;
/** @param {unknown} error */
function isFailed(error) {
  complain(error);
  return false;
}

/** @param {import('./lib/suites.mjs').Duration[]} durations */
function printSlowest(durations) {
  const slowest = durations.sort((one, other) => other.ms - one.ms).slice(0, SLOWEST);
  for (const { file, ms } of slowest) console.log(`  ${(ms / 1000).toFixed(1)} s  ${file}`);
}

await runMain(async () => {
  assertNode();
  const args = process.argv.slice(2);
  const isQuick = args.includes('--quick');
  const isNightly = args.includes('--nightly');
  const named = args.filter((name) => !['--quick', '--nightly'].includes(name));
  const unknown = named.find((name) => !ALL.includes(name));
  if (unknown) throw new Refusal(`Unknown test suite ${unknown}: choose from ${ALL.join(', ')}.`);
  const chosen =
    named.length > 0
      ? named
      : isQuick
        ? QUICK
        : isNightly
          ? [...HAVE_LONG_FORMS, NIGHTLY_ONLY]
          : ALL.filter((name) => name !== NIGHTLY_ONLY);
  const suites = SUITES.filter((name) => chosen.includes(name));
  if (isNightly) process.env.NIGHTLY = '1';
  shareData();

  await alone(async () => {
    await dependencies();
    await bundles();
  });

  const total = { passed: 0, failed: 0, skipped: 0 };
  /** @type {import('./lib/suites.mjs').Failure[]} */
  const failures = [];
  /**
   * @param {string[]} group
   * @param {boolean} [isBehind]
   */
  async function runGroup(group, isBehind = false) {
    const began = performance.now();
    const files = isQuick ? (await Promise.all(group.map(chooseFiles))).flat() : undefined;
    if (group.length === 0 || files?.length === 0) return;
    const names = group.join(', ');
    console.log(`Tests: ${names}`);
    const canRun = isBuilt || !group.some((suite) => NEED_BUILD.has(suite));
    const results = canRun
      ? await runSuites(group, { isBehind, ...(files && { files }) })
      : new Map([[names, NOT_RUN]]);
    for (const [suite, { passed, failed, skipped, durations, ...rest }] of results) {
      printSlowest(durations);
      console.log(`Tests: ${suite} … ${passed} passed, ${failed} failed, ${skipped} skipped`);
      failures.push(...rest.failures);
      total.passed += passed;
      total.failed += failed;
      total.skipped += skipped;
    }
    console.log(`Tests: ${names} … ${seconds(began)}`);
  }

  let isBuilt = false;
  const together = TOGETHER.filter((suite) => suites.includes(suite));
  const isBeside = suites.includes(BESIDE);
  if (suites.some((suite) => NEED_BUILD.has(suite))) isBuilt = await web().then(isDone, isFailed);
  // After the build, which writes types that are checked
  const isWell = chosen.includes('check') ? check(true).then(isDone, isFailed) : true;
  const behind = isBeside ? runGroup(together, true) : runGroup([]);
  // Awaited after the suite beside it
  behind.catch(() => undefined);
  if (!isBeside) await runGroup(together);
  for (const suite of suites.filter((name) => !together.includes(name))) {
    await runGroup([suite]);
    if (suite === BESIDE) await Promise.all([behind, isWell]);
  }
  // Once more at the end, where they are found in a long output of which only the last part was kept
  for (const { test, why } of failures) console.log(`FAILED ${test}\n${why.replace(/^/gm, '    ')}`);
  const isChecked = await isWell;
  if (!isChecked) console.log('npm run check failed; what it said is above.');
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  if (!isChecked || total.failed > 0) process.exitCode = 1;
});
