// @ts-check
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { quietly } from './processes/command.mjs';
import { Refusal } from './steps.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
/** The same browser without a window: it needs two thirds of the CPU, but shows no notifications. */
const WITHOUT_WINDOW = ['chromium-headless-shell', 'chrome-headless-shell'];
const PLACES = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * Returns the path of a Chromium: of the test package, of the system, or installed now.
 * @returns {Promise<string>}
 */
export async function findBrowser() {
  const found = await findProgram();
  if (found) return found;
  for (const install of [installOwn, installWithApt]) {
    const after = await install().then(findProgram, () => null);
    if (after) return after;
  }
  throw new Refusal(
    'There is no browser for the end-to-end tests: install Chromium or Chrome, or set BROWSER to its path.',
  );
}

/** @returns {string} the path of a Chromium without a window, or "" if none is installed */
export function findHeadlessShell() {
  return [process.env.HEADLESS_SHELL ?? '', ...inPath(WITHOUT_WINDOW)].find(isProgram) ?? '';
}

/** @returns {Promise<string | null>} */
async function findProgram() {
  const { chromium } = await import('playwright');
  const candidates = [process.env.BROWSER ?? '', chromium.executablePath(), ...inPath(NAMES), ...PLACES];
  return candidates.find(isProgram) ?? null;
}

/** @param {string[]} names */
function inPath(names) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

/** @param {string} path */
function isProgram(path) {
  if (path === '') return false;
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

async function installOwn() {
  await quietly('Installing a browser', process.execPath, ['node_modules/playwright/cli.js', 'install', 'chromium']);
}

async function installWithApt() {
  if (process.getuid?.() !== 0) return;
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await quietly('apt-get update', 'apt-get', ['update', '-qq'], env);
  for (const name of ['chromium', 'chromium-headless-shell']) {
    await quietly('apt-get install', 'apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], env);
  }
}
