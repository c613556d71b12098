// @ts-check
import { accessSync, constants, mkdirSync } from 'node:fs';
import { BUILD, isRelease } from './build/stamps.mjs';
import { install, isInstalled } from './install.mjs';
import { untilLocked } from './lock-file.mjs';
import { say } from './notes.mjs';
import { apart } from './processes/apart.mjs';
import { step } from './steps.mjs';

/** Loads the builder, which a release does not contain. */
const builder = () => import('./build/build.mjs');

const LOCK = `${BUILD}/prepare.lock`;
/** Of its own, because most commands do not need the web application, which takes longest. */
const WEB_LOCK = `${BUILD}/web.lock`;

/**
 * Waits until no other command prepares this checkout, and blocks others while `work` runs.
 * @template T
 * @param {() => Promise<T>} work
 * @param {string} [lock] its file
 * @returns {Promise<T>}
 */
export async function alone(work, lock = LOCK) {
  if (isRelease()) return work();
  const onWait = () => say('Waiting for another command that prepares this directory');
  const held = isPreparable() ? await untilLocked(lock, { patienceMs: Number.POSITIVE_INFINITY, onWait }) : null;
  try {
    return await work();
  } finally {
    held?.release();
  }
}

/** Whether this user can change the checkout. A read-only image of a container is complete. */
function isPreparable() {
  try {
    mkdirSync(BUILD, { recursive: true });
    accessSync(BUILD, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs the dependencies if node_modules does not match package-lock.json. */
export async function dependencies() {
  if (!isRelease() && !isInstalled()) await step('Installing the dependencies', install);
}

/**
 * Reads the settings, as web and worker will read them.
 * @returns {Promise<import('../../server/platform/env').Env>}
 */
export async function settings() {
  if (!isRelease()) await (await builder()).buildEnv();
  return apart('read-settings.mjs', 'readSettings');
}

/** Generates the database client and bundles worker and migrations, each if its sources have changed. */
export async function bundles() {
  if (isRelease()) return;
  const { buildBundles, buildEnv, generate } = await builder();
  await step('Preparing the database client', generate);
  await step('Preparing worker and migrations', async () => {
    await buildEnv();
    await buildBundles();
  });
}

/** Builds the web application if its sources have changed. */
export async function web() {
  if (isRelease()) return;
  const { buildWeb } = await builder();
  await alone(() => step('Building the web application', buildWeb), WEB_LOCK);
}

/** Makes the release folder from the outputs of the functions above. */
export async function release() {
  const { buildRelease } = await builder();
  await step('Making the release folder', buildRelease);
}

/**
 * Verifies that web and worker may use a database with the configured APP_SECRET, and migrates it. Without a secret in the environment, uses the one
 * under the data directory, which is created for a new database only.
 * @param {import('../../server/platform/env').Env} env
 * @param {string} databaseUrl
 * @param {number} connections that web and worker may use at once
 * @returns {Promise<string>} the secret
 */
export function prepareDatabase(env, databaseUrl, connections) {
  return apart('database/prepare-database.mjs', 'prepareDatabase', env, databaseUrl, connections);
}

/**
 * Migrates a database to the current schema.
 * @param {string} databaseUrl
 * @returns {Promise<string[]>}
 */
export function migrations(databaseUrl) {
  return apart('database/prepare-database.mjs', 'migrations', databaseUrl);
}
