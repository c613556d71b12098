// @ts-check
import { readFileSync } from 'node:fs';
import { quietly } from './processes/command.mjs';
import { Refusal } from './steps.mjs';

const OLDEST = [20, 19];

/** Rejects a Node version that is too old for the dependencies. */
export function assertNode(version = process.versions.node) {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = OLDEST;
  if (major > oldestMajor || (major === oldestMajor && minor >= oldestMinor)) return;
  throw new Refusal(`Upwatch needs Node.js ${OLDEST.join('.')} or newer, and this is ${version}.`);
}

/**
 * Whether node_modules matches package-lock.json. npm writes its own copy of the lock inside node_modules last, so an interrupted installation has
 * none.
 */
export function isInstalled(root = '.') {
  const wanted = readPackages(`${root}/package-lock.json`);
  const found = readPackages(`${root}/node_modules/.package-lock.json`);
  if (!wanted || !found) return false;
  const needed = Object.entries(wanted).filter(([path]) => path !== '');
  const areThere = needed.every(
    ([path, { version, optional }]) => found[path]?.version === version || (optional && !found[path]),
  );
  return areThere && Object.keys(found).every((path) => path in wanted);
}

/** Installs the dependencies exactly as in package-lock.json. */
export async function install() {
  const options = ['--include=dev', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  await quietly('Installing the dependencies', 'npm', ['ci', ...options]).catch((error) => {
    const reason = error instanceof Refusal ? whyNoPackages(error.details) : null;
    throw reason ? new Refusal(reason) : error;
  });
}

/**
 * Returns why npm could not fetch packages, in one line; null for other errors, which npm's own output explains better.
 * @param {string} output of npm
 */
export function whyNoPackages(output) {
  const [, address, reason] = /request to (\S+) failed, reason: (.+)$/m.exec(output) ?? [];
  if (!address) return null;
  return `The packages cannot be fetched from ${new URL(address).origin} (${reason}): see to the network, or to npm's settings for it, and start again.`;
}

/**
 * @param {string} path
 * @returns {Record<string, { version?: string, optional?: boolean }> | null}
 */
function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return null;
  }
}
