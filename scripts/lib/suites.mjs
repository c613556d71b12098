// @ts-check
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Counts */

/**
 * The fields used of the two reports.
 * @typedef {{ status: string, assertionResults: unknown[] }} VitestFile
 * @typedef {{ testResults: VitestFile[], numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number }}
 * VitestReport
 * @typedef {{ stats: { expected: number, flaky: number, unexpected: number, skipped: number } }} PlaywrightReport
 */

const REPORTS = '.build/reports';

/**
 * Runs the tests of one vitest project.
 * @param {string} project
 * @returns {Promise<Counts>}
 */
export async function runVitest(project) {
  const report = reportOf(project);
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  const code = await run(['node_modules/vitest/vitest.mjs', 'run', '--project', project, ...reporters]);
  return counts(code, report, (/** @type {VitestReport} */ result) => {
    const broken = result.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0);
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + broken.length,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  });
}

/**
 * Runs the browser tests.
 * @param {string} browser its path
 * @returns {Promise<Counts>}
 */
export async function runPlaywright(browser) {
  const report = reportOf('e2e');
  const code = await run(['node_modules/playwright/cli.js', 'test'], { BROWSER: browser, E2E_REPORT: report });
  return counts(code, report, (/** @type {PlaywrightReport} */ { stats }) => ({
    passed: stats.expected + stats.flaky,
    failed: stats.unexpected,
    skipped: stats.skipped,
  }));
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
 * The counts of a report. A failed run without a failed test, or without a report, counts as one failure.
 * @template Report
 * @param {number} code
 * @param {string} report
 * @param {(result: Report) => Counts} read
 * @returns {Counts}
 */
function counts(code, report, read) {
  let result = { passed: 0, failed: 0, skipped: 0 };
  try {
    result = read(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return { ...result, failed: 1 };
  }
  return code !== 0 && result.failed === 0 ? { ...result, failed: 1 } : result;
}
