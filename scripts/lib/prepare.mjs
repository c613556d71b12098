// @ts-check
import { pathToFileURL } from 'node:url';
import { buildBundles, buildEnv, buildWeb, generate } from './build.mjs';
import { install, isInstalled } from './install.mjs';
import { lock } from './lock.mjs';
import { sleep } from './notes.mjs';
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
  if (!release) console.log('Waiting for another command that prepares this directory');
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
    const { parseEnv } = await import(pathToFileURL(`${BUILD}/env.mjs`).href);
    return parseEnv(process.env);
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
 * Brings a database to the present schema.
 * @param {string} databaseUrl
 * @returns {Promise<string[]>}
 */
export async function migrations(databaseUrl) {
  const { migrate } = await import(pathToFileURL(`${BUILD}/migrate.mjs`).href);
  return migrate(databaseUrl);
}
