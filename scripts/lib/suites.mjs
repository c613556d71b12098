// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { mutations } from '../../tests/mutations/mutations.mjs';
import { findHeadlessShell } from './browser.mjs';
import { behind, quietly } from './processes/command.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */
/** The path of a test file and how long its tests and hooks took. @typedef {{ file: string, ms: number }} Duration */
/** A failed test and how it failed, in a few lines. @typedef {{ test: string, why: string }} Failure */
/** @typedef {Counts & { durations: Duration[], failures: Failure[] }} Result */

/**
 * The fields used of the two reports.
 * @typedef {{ fullName: string, status: string, failureMessages?: string[] }} VitestTest
 * @typedef {{ name: string, status: string, message?: string, startTime: number, endTime: number, assertionResults: VitestTest[] }} VitestFile
 * @typedef {{ testResults: VitestFile[] }} VitestReport
 * @typedef {{ status: string, results: { duration: number, error?: { message?: string } }[] }} PlaywrightTest
 * @typedef {{ specs: { title: string, tests: PlaywrightTest[] }[], suites?: PlaywrightSuite[] }} PlaywrightSuite
 * @typedef {{ stats: { expected: number, flaky: number, unexpected: number, skipped: number }, suites: (PlaywrightSuite & { file: string })[] }}
 * PlaywrightReport
 */

const REPORTS = '.build/reports';
/** Of an error in the list of failed tests: enough to see what went wrong, without its stack. */
const LINES_OF_FAILURE = 4;

/**
 * A suite that could not run counts as failed.
 * @type {Result}
 */
export const NOT_RUN = { passed: 0, failed: 1, skipped: 0, durations: [], failures: [] };

/**
 * Runs suites of vitest together, so that the files of one fill the time in which another waits. A suite has the tests of the projects whose name begins
 * with its own.
 * @param {string[]} suites
 * @param {{ files?: string[], isBehind?: boolean }} [options] `files` alone; `isBehind` for a run whose output is not shown before its end, and which
 * uses what other processes leave of the CPU
 * @returns {Promise<Map<string, Result>>} by suite
 */
export async function runVitest(suites, { files = [], isBehind = false } = {}) {
  const report = reportOf(['vitest', ...suites].join('-'));
  const projects = suites.flatMap((suite) => ['--project', `${suite}*`]);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await (isBehind ? runBehind : run)([
    'node_modules/vitest/vitest.mjs',
    'run',
    ...projects,
    ...reporters,
    ...files,
  ]);
  /** @type {VitestReport} */
  const { testResults } = readReport(report) ?? { testResults: [] };
  const results = new Map(suites.map((suite) => [suite, vitestResult(suite, testResults)]));
  if (files.length === 0) {
    for (const [suite, { durations }] of results) if (durations.length === 0) results.set(suite, NOT_RUN);
  }
  const [first] = results.values();
  if (code !== 0 && first && [...results.values()].every(({ failed }) => failed === 0)) {
    first.failed = 1;
    first.failures.push({ test: suites.join(', '), why: 'An error outside of all tests; it is above.' });
  }
  return results;
}

/**
 * @param {string} suite
 * @param {VitestFile[]} all files of a run
 * @returns {Result}
 */
function vitestResult(suite, all) {
  const testResults = all.filter(({ name }) => relative('tests', name).split(sep)[0] === suite);
  // What the next quick run knows of it
  if (testResults.length > 0) writeFileSync(`${REPORTS}/${suite}.json`, JSON.stringify({ testResults }));
  const statuses = testResults.flatMap((file) => file.assertionResults.map(({ status }) => status));
  const count = (/** @type {string[]} */ ...of) => statuses.filter((status) => of.includes(status)).length;
  const broken = testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
  return {
    passed: count('passed'),
    failed: count('failed') + broken.length,
    skipped: count('pending', 'skipped', 'todo'),
    durations: vitestDurations({ testResults }),
    failures: testResults.flatMap(vitestFailures),
  };
}

/**
 * Runs the browser tests.
 * @param {string} browser its path
 * @returns {Promise<Result>}
 */
export async function runPlaywright(browser) {
  const report = reportOf('e2e');
  const code = await run(['node_modules/playwright/cli.js', 'test'], {
    BROWSER: browser,
    HEADLESS_SHELL: findHeadlessShell(),
    E2E_REPORT: report,
  });
  /** @type {PlaywrightReport | null} */
  const found = readReport(report);
  if (!found) return NOT_RUN;
  const { stats, suites } = found;
  return {
    passed: stats.expected + stats.flaky,
    // A failed run without a failed test, too
    failed: code !== 0 ? Math.max(1, stats.unexpected) : stats.unexpected,
    skipped: stats.skipped,
    durations: suites.map((suite) => ({ file: `tests/e2e/${suite.file}`, ms: durationOf(suite) })),
    failures: suites.flatMap((suite) => playwrightFailures(`tests/e2e/${suite.file}`, suite)),
  };
}

/**
 * Applies the mutations one after the other, and runs the test that must fail for each.
 * @returns {Promise<Result>} a mutation that no test catches counts as failed
 */
export async function runMutations() {
  /** @type {Result} */
  const result = { ...NOT_RUN, failed: 0 };
  const report = reportOf('mutations');
  for (const [index, { breaks, file, test }] of mutations.entries()) {
    const project = test.split('/')[1] ?? '';
    rmSync(report, { force: true });
    const args = [
      'run',
      '--project',
      `${project}*`,
      '--bail=1',
      '--retry=0',
      '--reporter=json',
      `--outputFile.json=${report}`,
      test,
    ];
    await run(['node_modules/vitest/vitest.mjs', ...args], { MUTATION: String(index) });
    // By assertions of its own: a file that could not be loaded has no tests.
    const isCaught = readReport(report)?.numFailedTests > 0;
    if (isCaught) result.passed += 1;
    else result.failed += 1;
    console.log(`  ${isCaught ? 'caught' : 'NOT CAUGHT'}: ${file}: ${breaks}`);
  }
  return result;
}

/**
 * Returns how long each file took in the last run of a suite; empty if there was none.
 * @param {string} suite
 * @returns {Duration[]}
 */
export function lastDurations(suite) {
  return vitestDurations(readReport(`${REPORTS}/${suite}.json`) ?? { testResults: [] });
}

/**
 * @param {VitestReport} report
 * @returns {Duration[]}
 */
function vitestDurations({ testResults }) {
  return testResults.map(({ name, startTime, endTime }) => ({ file: relative('.', name), ms: endTime - startTime }));
}

/**
 * @param {VitestFile} file
 * @returns {Failure[]}
 */
function vitestFailures({ name, status, message, assertionResults }) {
  const path = relative('.', name);
  const failed = assertionResults.filter((test) => test.status === 'failed');
  // Of a file that could not be loaded, or whose hooks failed
  if (failed.length === 0 && status === 'failed') return [{ test: path, why: firstLines(message) }];
  return failed.map(({ fullName, failureMessages = [] }) => ({
    test: `${path}: ${fullName}`,
    why: firstLines(failureMessages.at(-1)),
  }));
}

/**
 * @param {string} file
 * @param {PlaywrightSuite} suite
 * @returns {Failure[]}
 */
function playwrightFailures(file, { specs, suites = [] }) {
  const failed = specs.flatMap(({ title, tests }) =>
    tests
      .filter(({ status }) => status === 'unexpected')
      .map(({ results }) => ({ test: `${file}: ${title}`, why: firstLines(results.at(-1)?.error?.message) })),
  );
  return [...failed, ...suites.flatMap((suite) => playwrightFailures(file, suite))];
}

/** @param {string | undefined} text */
function firstLines(text = '') {
  return text.split('\n').slice(0, LINES_OF_FAILURE).join('\n');
}

/**
 * @param {PlaywrightSuite} suite
 * @returns {number}
 */
function durationOf({ specs, suites = [] }) {
  const results = specs.flatMap(({ tests }) => tests.flatMap((test) => test.results));
  return [...results.map(({ duration }) => duration), ...suites.map(durationOf)].reduce((sum, ms) => sum + ms, 0);
}

/** @param {string} suite */
function reportOf(suite) {
  mkdirSync(REPORTS, { recursive: true });
  const path = `${REPORTS}/${suite}.json`;
  rmSync(path, { force: true });
  return path;
}

/**
 * @param {string[]} args
 * @param {Record<string, string>} [settings]
 * @returns {Promise<number>}
 */
function run(args, settings = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'inherit', 'inherit'],
    });
    child.once('error', reject);
    child.once('close', (code) => resolve(code ?? 1));
  });
}

/**
 * @param {string[]} args
 * @returns {Promise<number>}
 */
function runBehind(args) {
  return quietly('vitest', ...behind(process.execPath, args)).then(
    (output) => {
      console.log(output);
      return 0;
    },
    (error) => {
      console.error(error.details || error.message);
      return 1;
    },
  );
}

/**
 * Reads a report, or returns null if the run ended without one.
 * @param {string} path
 */
function readReport(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return null;
  }
}
