// @ts-check
import { apart } from './apart.mjs';
import { buildBundles, buildEnv, buildWeb, generate } from './build.mjs';
import { install, isInstalled } from './install.mjs';
import { lock } from './lock.mjs';
import { say, sleep } from './notes.mjs';
import { step } from './steps.mjs';

/**
 * Waits until no other command prepares this checkout, and keeps others waiting while `work` runs.
 * @template T
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function alone(work) {
  let release = await lock('.', 'prepare');
  if (!release) say('Waiting for another command that prepares this directory');
  while (!release) {
    await sleep(200);
    release = await lock('.', 'prepare');
  }
  try {
    return await work();
  } finally {
    release();
  }
}

/** Installs what package-lock.json names, where it is not what is there. */
export async function dependencies() {
  if (!isInstalled()) await step('Installing the dependencies', install);
}

/**
 * The settings, read as web and worker will read them.
 * @returns {Promise<import('../../server/platform/env').Env>}
 */
export async function settings() {
  await buildEnv();
  return apart('./read-settings.mjs', 'readSettings');
}

/** Generates the database client and bundles worker and migrations, each where its sources have changed. */
export async function bundles() {
  await step('Preparing the database client', generate);
  await step('Preparing worker and migrations', buildBundles);
}

/** Builds the web application where its sources have changed. */
export async function web() {
  await step('Building the web application', buildWeb);
}

/**
 * Checks that web and worker may use a database with the configured APP_SECRET, and brings it to the present schema.
 * Without a secret in the environment it is the one kept under the data directory, which is made for a new database only.
 * @param {import('../../server/platform/env').Env} env
 * @param {string} databaseUrl
 * @param {number} connections that web and worker may use at once
 * @returns {Promise<string>} the secret
 */
export function prepareDatabase(env, databaseUrl, connections) {
  return apart('./prepare-database.mjs', 'prepareDatabase', env, databaseUrl, connections);
}

/**
 * Brings a database to the present schema.
 * @param {string} databaseUrl
 * @returns {Promise<string[]>}
 */
export function migrations(databaseUrl) {
  return apart('./prepare-database.mjs', 'migrations', databaseUrl);
}
