// @ts-check
// npm test: all tests, from a fresh clone. "npm test -- unit e2e" runs some of them.
import { fileURLToPath } from 'node:url';
import { findBrowser } from './lib/browser.mjs';
import { check } from './lib/checks.mjs';
import { assertNode } from './lib/install.mjs';
import { alone, bundles, dependencies, web } from './lib/prepare.mjs';
import { complain, Refusal, runMain, seconds, step } from './lib/steps.mjs';
import { runPlaywright, runVitest } from './lib/suites.mjs';

const SUITES = ['unit', 'integration', 'contract', 'hostile', 'fault', 'e2e'];
const ALL = ['check', ...SUITES];
/** These suites run the built product. */
const NEED_BUILD = new Set(['fault', 'e2e']);

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

/** A suite that could not run counts as failed. */
const NOT_RUN = { passed: 0, failed: 1, skipped: 0 };

/** @param {string[]} suites */
async function build(suites) {
  await bundles();
  if (suites.some((suite) => NEED_BUILD.has(suite))) await web();
}

/** @param {string} suite */
async function runSuite(suite) {
  if (suite !== 'e2e') return runVitest(suite);
  const browser = await step('Finding a browser', findBrowser).catch((error) => void complain(error));
  return browser ? runPlaywright(browser) : NOT_RUN;
}

await runMain(async () => {
  assertNode();
  const chosen = process.argv.slice(2);
  const unknown = chosen.find((name) => !ALL.includes(name));
  if (unknown) throw new Refusal(`Unknown test suite ${unknown}: choose from ${ALL.join(', ')}.`);
  const suites = SUITES.filter((name) => chosen.length === 0 || chosen.includes(name));

  await alone(dependencies);
  let isWell = true;
  if (chosen.length === 0 || chosen.includes('check')) {
    await alone(check).catch((error) => {
      complain(error);
      isWell = false;
    });
  }
  const isBuilt = await alone(() => build(suites)).then(() => true, complain);

  const total = { passed: 0, failed: 0, skipped: 0 };
  for (const suite of suites) {
    const began = performance.now();
    console.log(`Tests: ${suite}`);
    const canRun = isBuilt || !NEED_BUILD.has(suite);
    const { passed, failed, skipped } = canRun ? await runSuite(suite) : NOT_RUN;
    console.log(`Tests: ${suite} … ${passed} passed, ${failed} failed, ${skipped} skipped … ${seconds(began)}`);
    total.passed += passed;
    total.failed += failed;
    total.skipped += skipped;
  }
  if (!isWell) console.log('npm run check failed; what it said is above.');
  console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
  if (!isWell || total.failed > 0) process.exitCode = 1;
});
