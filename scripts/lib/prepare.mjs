// @ts-check
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildBundles, buildEnv, buildWeb, generate } from './build.mjs';
import { keptSecret } from './data-dir.mjs';
import { install, isInstalled } from './install.mjs';
import { lock } from './lock.mjs';
import { say, sleep } from './notes.mjs';
import { BUILD } from './stamps.mjs';
import { oneLine, Refusal, step } from './steps.mjs';

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
  try {
    /** @type {typeof import('../../server/platform/env')} */
    const { parseEnv, unknownVariables } = await import(pathToFileURL(`${BUILD}/env.mjs`).href);
    const env = parseEnv(process.env);
    for (const { name, meant } of unknownVariables(process.env)) {
      say(`${name} is no setting of Upwatch and changes nothing. Did you mean ${meant}?`, 'warn');
    }
    return env;
  } catch (error) {
    throw new Refusal(oneLine(error));
  }
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
export async function prepareDatabase(env, databaseUrl, connections) {
  /** @type {typeof import('../../server/platform/preflight')} */
  const { assertConnections, assertFits, assertSessions, claimSecret, readFingerprint } = await import(
    pathToFileURL(`${BUILD}/preflight.mjs`).href
  );
  if (env.databaseUrl) {
    await assertSessions(databaseUrl);
    await assertConnections(databaseUrl, connections);
  }
  const fingerprint = await readFingerprint(databaseUrl);
  const file = join(env.dataDir, 'app-secret');
  const isNew = env.appSecret === undefined && !existsSync(file);
  if (isNew && fingerprint !== null) {
    throw new Refusal(
      'APP_SECRET is missing: set it to the secret that this database was set up with (on the machine that made it, the file app-secret in its DATA_DIR).',
    );
  }
  const present = env.appSecret ?? keptSecret(env.dataDir, 'app-secret');
  const secrets = { present, previous: env.appSecretPrevious, ...(env.appSecret === undefined && { source: file }) };
  try {
    if (fingerprint !== null) assertFits(fingerprint, secrets);
    await step('Migrating the database', () => migrations(databaseUrl));
    await claimSecret(databaseUrl, secrets);
  } catch (error) {
    // Another machine was quicker: the secret was never used, and would only be refused again.
    if (isNew) rmSync(file, { force: true });
    throw error;
  }
  return present;
}

/**
 * Brings a database to the present schema.
 * @param {string} databaseUrl
 * @returns {Promise<string[]>}
 */
export async function migrations(databaseUrl) {
  const { migrate } = await import(pathToFileURL(`${BUILD}/migrate.mjs`).href);
  return migrate(databaseUrl, { onWait: say });
}
